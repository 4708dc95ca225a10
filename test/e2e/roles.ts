import { describe, expect, test } from 'vitest';
import { QUOTA } from '../../src/access/quota/quota-day-document.ts';
import { INVITATIONS } from '../../src/access/accounts/invitations.ts';
import { SESSIONS } from '../../src/access/accounts/sessions.ts';
import { ACCOUNTS } from '../../src/access/keys/account-document.ts';
import { composeAccounts, composeKeys } from '../../src/compose/keys-and-accounts.ts';
import { GUARDED } from '../../src/compose/read-only-accounts.ts';
import type { Role } from '../../src/operations/process-role.ts';
import { documentsArea } from '../../src/operations/doctor/documents.ts';
import { examineArea } from '../../src/operations/doctor/run-checks.ts';
import { PermanentError } from '../../src/platform/errors.ts';
import { type Documents, newVersion } from '../../src/stores/documents/port.ts';
import { IDENTITY } from '../../src/stores/store-identity.ts';
import { type Act, rightsOf, type RoleName } from '../support/deployed-roles.ts';
import {
  HOUR,
  openRoleStage,
  overridden,
  type RoleStore,
  somebodyIsIn,
  theWholeStory,
} from '../support/role-stage.ts';
import { storedIn } from '../support/documents.ts';

/** The rights of deploy/mongodb-users.js, against what the processes do, and against somebody who has taken one over. */
export function rolesHold(open: () => Promise<RoleStore>): void {
  test('the users of the database have the rights that their processes use, and no other', async () => {
    const used = { serve: new Set<Act>(), accounts: new Set<Act>() };
    for (const first of ['serve', 'accounts'] as const) {
      await using stage = await openRoleStage(await open());
      await theWholeStory(stage, first);
      for (const user of ['serve', 'accounts'] as const)
        for (const act of stage.store.used(user)) used[user].add(act);
    }
    for (const user of ['serve', 'accounts'] as const) {
      const { granted } = rightsOf(user);
      // What is granted on every collection was used on some.
      const needed = new Set(
        [...used[user]].map((act) => {
          const onAll: Act = `${act.split(' ')[0]} `;
          return granted.has(onAll) ? onAll : act;
        }),
      );
      expect([...needed].toSorted(), user).toEqual([...granted].toSorted());
    }
  });

  test('doctor finds that each user may do what its process does', async () => {
    await using stage = await openRoleStage(await open());
    await theWholeStory(stage, 'serve');
    const examined = async (user: RoleName, role: Role) => {
      const found = await examineArea(documentsArea, stage.partsAs(user), role);
      return found
        .filter(({ verdict }) => verdict !== 'ok')
        .map(({ name, verdict }) => `${name}: ${verdict}`);
    };
    expect(await examined('serve', 'serve')).toEqual([]);
    expect(await examined('accounts', 'accounts')).toEqual([]);
    expect(await examined('serve', 'accounts')).toEqual([
      'may write keys: problem',
      'may write key-notices: problem',
      'may write sessions: problem',
      'may write account-audit: problem',
    ]);
  });

  describe('a process of the API that somebody has taken over, with its user’s rights', () => {
    test('makes, changes and ends no account, key, session, link, note or identity', async () => {
      await using stage = await openRoleStage(await open());
      const { store } = stage;
      await somebodyIsIn(stage);
      const before = await everything(store.as('project'));
      expect(before.size).toBeGreaterThan(GUARDED.size);
      const documents = store.as('serve');
      for (const name of GUARDED) {
        const body = { account: 'mallory', keys: [] };
        const [stored] = (await documents.find(name, { where: {}, order: [], limit: 1 })).documents;
        const attempts: readonly (() => Promise<unknown>)[] = [
          () => documents.write(name, [{ id: 'mallory', read: null, version: newVersion(), body }]),
          () =>
            documents.write(name, [
              { id: String(stored?.id), read: String(stored?.version), version: newVersion(), body },
            ]),
          () => documents.remove(name, [{ id: String(stored?.id), read: String(stored?.version) }]),
          () => documents.drop(name),
          () => documents.declare({ name, indexes: [['mallory']] }),
        ];
        expect(stored, name).toBeDefined();
        for (const attempt of attempts) await expect(attempt(), name).rejects.toThrow(PermanentError);
      }
      // The very code that does it elsewhere, and the pepper, which it knows.
      const parts = overridden(stage.partsAs('serve'), { access: 'read' });
      const keys = await composeKeys(parts);
      const accounts = await composeAccounts(parts, keys);
      await expect(keys.create('mallory')).rejects.toThrow(PermanentError);
      await expect(keys.revoke('acme', String((await keys.list('acme'))[0]?.id))).rejects.toThrow(
        PermanentError,
      );
      await expect(accounts.invite('acme', HOUR)).rejects.toThrow(PermanentError);
      await expect(accounts.signInByLink(stage.openLink, null)).rejects.toThrow(PermanentError);
      const identity = { issuer: 'https://id.example', subject: 'mallory' };
      await expect(accounts.signInByIdentity(identity, null, null)).rejects.toThrow(PermanentError);
      await expect(accounts.sessions.endAllOf('acme')).rejects.toThrow(PermanentError);
      expect(await everything(store.as('project'))).toEqual(before);
    });

    test('and the process of the account pages writes nothing but those, and makes no link', async () => {
      await using stage = await openRoleStage(await open());
      await somebodyIsIn(stage);
      const documents = stage.store.as('accounts');
      const body = { account: 'mallory' };
      const all = await stage.store.as('project').collections();
      // The identity is written once, by whoever is the first.
      const others = all.filter((name) => !GUARDED.has(name) && name !== IDENTITY.name);
      expect(others).toContain(QUOTA.name);
      for (const name of [...others, INVITATIONS.name]) {
        const write = { id: 'mallory', read: null, version: newVersion(), body };
        await expect(documents.write(name, [write]), name).rejects.toThrow(PermanentError);
        await expect(documents.drop(name), name).rejects.toThrow(PermanentError);
      }
      // What it is there for, it may.
      const write = { id: 'x', read: null, version: newVersion(), body };
      for (const name of [ACCOUNTS.name, SESSIONS.name])
        expect(await documents.write(name, [write])).toEqual(['done']);
    });
  });
}

async function everything(documents: Documents): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const name of GUARDED)
    for (const { id, ...rest } of await storedIn(documents, name)) found.set(`${name}/${id}`, rest);
  return found;
}
