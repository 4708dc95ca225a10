// Users of MongoDB, by what each process does: run by the image when the database is empty. By hand, where something of it
// has changed; run again, it corrects them:
// SECRETS=secrets mongosh "mongodb://ADMIN@HOST/catalog?authSource=admin" deploy/mongodb-users.js
// In mongosh `db`, `process` and `require` are global.

const secrets = process.env.SECRETS ?? '/run/secrets';
const passwordOf = (user) =>
  require('node:fs').readFileSync(`${secrets}/mongodb-${user}-password`, 'utf8').trim();
const catalog = db.getSiblingDB('catalog');

const makeRole = (role, privileges) => {
  const what = { privileges, roles: [] };
  return catalog.getRole(role) ? catalog.updateRole(role, what) : catalog.createRole({ role, ...what });
};
const makeUser = (user, role) => {
  const what = { pwd: passwordOf(user), roles: [{ role, db: 'catalog' }] };
  return catalog.getUser(user) ? catalog.updateUser(user, what) : catalog.createUser({ user, ...what });
};
const on = (collection, ...actions) => ({ resource: { db: 'catalog', collection }, actions });

// Read models are collections with a version in their names, so who projects has the database. So do the commands.
makeUser('project', 'readWrite');

// Who serves reads everything, counts requests, says which builds it can serve, and keeps what it has computed of the
// monitor's older hours. Where it is the first it makes the collections that it asks for. It makes and changes nothing of
// accounts, not even an index, which could stand in the way of others.
makeRole('serve', [
  on('', 'find', 'listCollections', 'listIndexes'),
  // Once, where it is the first of all processes.
  on('identity', 'createCollection', 'insert'),
  on('aliases', 'createCollection'),
  on('builds', 'createCollection'),
  on('lags', 'createCollection'),
  on('leases', 'createCollection'),
  on('quota', 'createCollection', 'createIndex', 'insert', 'update', 'remove'),
  on('quota-days', 'createCollection', 'insert', 'update'),
  on('quota-notices', 'createCollection', 'createIndex', 'insert', 'remove'),
  on('monitor-summaries', 'createCollection', 'insert', 'update', 'remove'),
  // Which builds of read models it can serve: a cut-over waits for what stands there.
  on('renderers', 'createCollection', 'insert', 'update', 'remove'),
]);
makeUser('serve', 'serve');

// Who serves the account pages: accounts, keys, sessions and what belongs to them, which nobody who serves the API may write.
// It reads the counts, to show them. One-time links are made by commands alone; it uses them up.
makeRole('accounts', [
  on('', 'listCollections', 'listIndexes'),
  on('identity', 'createCollection', 'find', 'insert'),
  on('quota', 'createCollection', 'createIndex', 'find'),
  on('key-notices', 'createCollection', 'createIndex', 'find', 'insert', 'remove'),
  on('accounts', 'createCollection', 'find', 'insert', 'update'),
  on('keys', 'createCollection', 'find', 'insert', 'remove'),
  on('sessions', 'createCollection', 'createIndex', 'find', 'insert', 'update', 'remove'),
  on('invitations', 'createCollection', 'createIndex', 'find', 'update'),
  on('account-audit', 'createCollection', 'createIndex', 'find', 'insert', 'remove'),
  on('identities', 'createCollection', 'createIndex', 'find', 'insert', 'update'),
]);
makeUser('accounts', 'accounts');
