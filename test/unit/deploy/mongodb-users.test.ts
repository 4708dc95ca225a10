import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { QUOTA } from '../../../src/access/quota/counter.ts';
import { SUMMARIES } from '../../../src/monitor/reading/kept-summaries.ts';
import { RENDERERS } from '../../../src/stores/renderers.ts';
import { IDENTITY } from '../../../src/stores/identity.ts';
import { GUARDED } from '../../../src/compose/read-only.ts';
import { root } from '../../support/compose.ts';
import { temporaryFolder } from '../../support/folder.ts';

interface Role {
  readonly role: string;
  readonly privileges: readonly {
    readonly resource: { readonly db: string; readonly collection: string };
    readonly actions: readonly string[];
  }[];
}

interface User {
  readonly user: string;
  readonly pwd: string;
  readonly roles: readonly { readonly role: string; readonly db: string }[];
}

/** What the script asks of the database. */
function run(): { readonly roles: readonly Role[]; readonly users: readonly User[] } {
  const roles: Role[] = [];
  const users: User[] = [];
  const catalog = {
    createRole: (role: Role) => roles.push(role),
    createUser: (user: User) => users.push(user),
  };
  const db = { getSiblingDB: (name: string) => (name === 'catalog' ? catalog : null) };
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mongodb-project-password'), 'one\n');
  writeFileSync(join(folder, 'mongodb-serve-password'), 'two\n');
  writeFileSync(join(folder, 'mongodb-accounts-password'), 'three\n');
  runInNewContext(readFileSync(join(root, 'deploy/mongodb-users.js'), 'utf8'), {
    db,
    process: { env: { SECRETS: folder } },
    require: createRequire(import.meta.url),
  });
  return { roles, users };
}

test('deploy/mongodb-users.js makes a user for each process, with a password of its own', () => {
  expect(run().users).toMatchObject([
    { user: 'project', pwd: 'one', roles: [{ role: 'readWrite', db: 'catalog' }] },
    { user: 'accounts', pwd: 'three', roles: [{ role: 'accounts', db: 'catalog' }] },
    { user: 'serve', pwd: 'two', roles: [{ role: 'serve', db: 'catalog' }] },
  ]);
});

test('deploy/mongodb-users.js lets who serves write its counts, its summaries, the identity and what it can serve, and nothing else', () => {
  const privileges = run().roles.find(({ role }) => role === 'serve')?.privileges ?? [];
  const writing = privileges.filter(({ actions }) =>
    ['insert', 'update', 'remove'].some((action) => actions.includes(action)),
  );
  expect(writing.map(({ resource }) => resource)).toEqual(
    [QUOTA, SUMMARIES, RENDERERS, IDENTITY].map(({ name }) => ({ db: 'catalog', collection: name })),
  );
  expect(privileges[0]).toEqual({
    resource: { db: 'catalog', collection: '' },
    actions: ['find', 'listCollections', 'listIndexes', 'createCollection', 'createIndex'],
  });
});

test('who serves the API may write no account, key, session, link, note or identity; who serves accounts writes those alone', () => {
  const { roles } = run();
  const writtenBy = (name: string) =>
    (roles.find(({ role }) => role === name)?.privileges ?? [])
      .filter(({ actions }) => ['insert', 'update', 'remove'].some((action) => actions.includes(action)))
      .map(({ resource }) => resource.collection);
  expect(writtenBy('serve').filter((name) => name === '' || GUARDED.has(name))).toEqual([]);
  expect(writtenBy('accounts').toSorted()).toEqual([...GUARDED, IDENTITY.name].toSorted());
});
