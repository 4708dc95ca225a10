// Users of MongoDB, by what each process does: run once, by the image, when the database is empty. By hand:
// SECRETS=secrets mongosh "mongodb://ADMIN@HOST/catalog" deploy/mongodb-users.js
// In mongosh `db`, `process` and `require` are global.

const secrets = process.env.SECRETS ?? '/run/secrets';
const passwordOf = (user) =>
  require('node:fs').readFileSync(`${secrets}/mongodb-${user}-password`, 'utf8').trim();
const catalog = db.getSiblingDB('catalog');

// Read models are collections with a version in their names, so who projects has the database. So do the commands.
catalog.createUser({
  user: 'project',
  pwd: passwordOf('project'),
  roles: [{ role: 'readWrite', db: 'catalog' }],
});

const whole = (collection, actions) => ({ resource: { db: 'catalog', collection }, actions });
const WRITES = ['insert', 'update', 'remove'];

// Who serves reads everything, counts requests, says which builds it can serve, and keeps what it has computed of the
// monitor's older hours. It makes the collections that it asks for where nobody has made them yet.
catalog.createRole({
  role: 'serve',
  roles: [],
  privileges: [
    whole('', ['find', 'listCollections', 'listIndexes', 'createCollection', 'createIndex']),
    whole('quota', WRITES),
    whole('monitor-summaries', WRITES),
    // Which builds of read models it can serve: a cut-over waits for what stands there.
    whole('renderers', WRITES),
    // Once, where it is the first of all processes.
    whole('identity', ['insert']),
  ],
});
// Who serves the account pages: accounts, keys, sessions and what belongs to them, which nobody who serves the API may write.
// It reads the counts, to show them.
catalog.createRole({
  role: 'accounts',
  roles: [],
  privileges: [
    whole('', ['listCollections', 'listIndexes', 'createCollection', 'createIndex']),
    ...['accounts', 'keys', 'sessions', 'invitations', 'account-audit', 'identities'].map((name) =>
      whole(name, ['find', ...WRITES]),
    ),
    whole('quota', ['find']),
    whole('identity', ['find', 'insert']),
  ],
});
// Only where account pages are served, and their user has a password.
if (require('node:fs').existsSync(`${secrets}/mongodb-accounts-password`))
  catalog.createUser({
    user: 'accounts',
    pwd: passwordOf('accounts'),
    roles: [{ role: 'accounts', db: 'catalog' }],
  });
catalog.createUser({
  user: 'serve',
  pwd: passwordOf('serve'),
  roles: [{ role: 'serve', db: 'catalog' }],
});
