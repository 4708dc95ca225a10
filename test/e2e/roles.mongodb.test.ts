import { MongoClient } from 'mongodb';
import { describe, inject } from 'vitest';

import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import type { RoleName } from '../support/deployed-roles.ts';
import { startRoleProxy, type RoleProxy } from '../support/role-proxy.ts';
import { rolesHold } from './roles.ts';

const service = inject('services')['mongodb'];

let databases = 0;

/** A database of its own, which is gone afterwards. */
function newDatabase(opened: AsyncDisposableStack): string {
  databases += 1;
  const address = new URL(String(service?.url));
  address.pathname = `/catalog-roles-${process.pid}-${databases}`;
  opened.defer(async () => {
    await using client = new MongoClient(address.href);
    await client.db().dropDatabase();
  });
  return address.href;
}

/** Every command is held against the roles as it is sent, whether or not the server knows users. */
describe.skipIf(typeof service?.url !== 'string')('on MongoDB', () => {
  rolesHold(async () => {
    const opened = new AsyncDisposableStack();
    const url = newDatabase(opened);
    const asUser = async (user: RoleName): Promise<{ documents: Documents; proxy: RoleProxy }> => {
      const proxy = opened.use(await startRoleProxy(url, user));
      return { documents: opened.use(openMongoDocuments(proxy.url)), proxy };
    };
    const all = {
      project: await asUser('project'),
      serve: await asUser('serve'),
      accounts: await asUser('accounts'),
    };
    return {
      as: (user) => all[user].documents,
      used: (user) => all[user].proxy.used,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  });
});
