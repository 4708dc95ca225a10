import { MongoClient } from 'mongodb';
import { describe, expect, inject, test } from 'vitest';

import { GUARDED } from '../../src/compose/read-only.ts';
import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import type { RoleName } from '../support/deployed-roles.ts';
import { ATTACKS } from '../support/role-attacks.ts';
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

  describe('a program of one’s own, as the user of `serve`', () => {
    test('reads and writes nothing of another database', async () => {
      await using opened = new AsyncDisposableStack();
      const proxy = opened.use(await startRoleProxy(newDatabase(opened), 'serve'));
      const client = opened.use(new MongoClient(proxy.url));
      const quota = client.db('another').collection('quota');
      const here = client.db().collection('quota');
      const attempts = [
        () => quota.insertOne({ x: 1 }),
        () => quota.findOne(),
        () => here.aggregate([{ $out: { db: 'another', coll: 'quota' } }]).toArray(),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 13 });
      expect(await here.findOne()).toBeNull();
    });

    test.each(Object.entries(ATTACKS))('changes nothing of accounts by %s', async (_name, attack) => {
      await using opened = new AsyncDisposableStack();
      const url = newDatabase(opened);
      const own = opened.use(new MongoClient(url));
      for (const name of ['quota', ...GUARDED])
        await own.db().collection(name).insertOne({ account: 'acme' });
      const proxy = opened.use(await startRoleProxy(url, 'serve'));
      const client = opened.use(new MongoClient(proxy.url));
      for (const name of GUARDED) {
        const done = attack(client.db(), name);
        await expect(done, name).rejects.toMatchObject({ code: 13 });
        expect(
          await own
            .db()
            .collection(name)
            .find({}, { projection: { _id: 0 } })
            .toArray(),
        ).toEqual([{ account: 'acme' }]);
      }
    });
  });
});
