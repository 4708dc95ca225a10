import { expect, test } from 'vitest';

import { GUARDED } from '../../../src/compose/read-only-accounts.ts';
import { rightsOf, runUserScript } from '../../support/deployed-roles.ts';
import { words } from '../../support/words.ts';

test('deploy/mongodb-users.js makes a user for each process, with a password and a role of its own', () => {
  const { users, calls } = runUserScript();
  expect(users).toEqual([
    { user: 'project', pwd: 'password of project', roles: [{ role: 'readWrite', db: 'catalog' }] },
    { user: 'serve', pwd: 'password of serve', roles: [{ role: 'serve', db: 'catalog' }] },
    { user: 'accounts', pwd: 'password of accounts', roles: [{ role: 'accounts', db: 'catalog' }] },
  ]);
  // A user is given a role that is there.
  expect(calls).toEqual([
    'createUser project',
    'createRole serve',
    'createUser serve',
    'createRole accounts',
    'createUser accounts',
  ]);
});

test('run again, it corrects them to the same', () => {
  const [first, again] = [runUserScript(), runUserScript({ isThere: true })];
  expect(again.calls).toEqual(first.calls.map((call) => call.replace('create', 'update')));
  expect([again.roles, again.users]).toEqual([first.roles, first.users]);
});

test('every right is one on a collection of the catalog, and none is more than reading, making and changing documents', () => {
  const actions = new Set<string>();
  for (const { privileges } of runUserScript().roles)
    for (const { resource, actions: granted } of privileges) {
      expect(resource.db).toBe('catalog');
      for (const action of granted) actions.add(action);
    }
  expect([...actions].toSorted()).toEqual(
    words('createCollection createIndex find insert listCollections listIndexes remove update'),
  );
});

test('who serves the API may change nothing of accounts: no document, no collection, no index', () => {
  const { may } = rightsOf('serve');
  const acts = ['insert', 'update', 'remove', 'createCollection', 'createIndex', 'dropCollection', 'collMod'];
  expect(GUARDED.size).toBe(7);
  for (const name of GUARDED)
    expect(
      acts.filter((act) => may(act, name)),
      name,
    ).toEqual([]);
});
