import { describe, expect, test } from 'vitest';

import { type Accounts, createAccounts } from '../../src/access/accounts/sign-in.ts';
import { AUDIT } from '../../src/access/accounts/audit.ts';
import { joinAccount } from '../../src/access/accounts/identities.ts';
import { INVITATIONS } from '../../src/access/accounts/invitations.ts';
import { createSessions, SESSIONS } from '../../src/access/accounts/sessions.ts';
import { keyDigest } from '../../src/access/keys/key-format.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { overriding } from '../support/overriding.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { storedIn } from '../support/documents.ts';

/** A store of its own for each use, with two clients, which the suite disposes of; then of the store, where it has to be. */
export type TwoClients = () => Promise<
  { readonly one: Documents; readonly two: Documents } & Partial<AsyncDisposable>
>;

const HOUR = 3_600_000;

/** What accounts rely on of a store: two processes serve them, and both see the same. */
export function accountsContract(open: TwoClients): void {
  async function stage() {
    const stores = await open();
    const clock = { aheadMs: 0 };
    const served = (documents: Documents): Accounts =>
      createAccounts({ documents: later(documents, clock), secret: 'a secret of tests' });
    const [one, two] = [served(stores.one), served(stores.two)];
    await one.declare();
    return {
      one,
      two,
      documents: stores.one,
      clock,
      [Symbol.asyncDispose]: async () => {
        for (const client of [stores.one, stores.two]) await client[Symbol.asyncDispose]();
        await stores[Symbol.asyncDispose]?.();
      },
    };
  }

  async function signedIn(accounts: Accounts, account = 'acme', before: string | null = null) {
    const { token } = await accounts.invite(account, HOUR);
    const answer = await accounts.signInByLink(token, before);
    if (answer.outcome !== 'signed_in') throw new Error(answer.outcome);
    return answer.session;
  }

  describe('a one-time link', () => {
    test('signs in once, whichever process is asked', async () => {
      await using at = await stage();
      const { token } = await at.one.invite('acme', HOUR);
      const answers = await Promise.all([
        at.one.signInByLink(token, null),
        at.two.signInByLink(token, null),
        at.two.signInByLink(token, null),
      ]);
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['signed_in', 'spent', 'spent']);
      expect((await at.two.signInByLink(token, null)).outcome).toBe('spent');
    });

    test('is unknown where it was never made, and expires', async () => {
      await using at = await stage();
      expect((await at.one.signInByLink(`cat_link_${'0'.repeat(43)}`, null)).outcome).toBe('unknown');
      const { token } = await at.one.invite('acme', HOUR);
      at.clock.aheadMs = HOUR;
      expect((await at.two.signInByLink(token, null)).outcome).toBe('expired');
    });

    test('is removed a week after its end', async () => {
      await using at = await stage();
      await at.one.invite('acme', HOUR);
      at.clock.aheadMs = HOUR + 7 * 24 * HOUR + 1000;
      await at.one.invite('acme', HOUR);
      expect(await countOf(at.documents, INVITATIONS.name)).toBe(1);
    });

    test.each([0, 59_999, 7 * 24 * HOUR + 1, Number.NaN])('does not work for %s ms', async (ms) => {
      await using at = await stage();
      await expect(at.one.invite('acme', ms)).rejects.toThrow('1 minute to 7 days');
    });
  });

  describe('a session', () => {
    test('is known to both processes until it ends', async () => {
      await using at = await stage();
      const { token, name } = await signedIn(at.one);
      expect(await at.two.sessions.find(token)).toMatchObject({ account: 'acme', name });
      at.clock.aheadMs = 12 * HOUR - 5000;
      expect(await at.two.sessions.find(token)).not.toBeNull();
      at.clock.aheadMs = 12 * HOUR;
      expect(await at.two.sessions.find(token)).toBeNull();
    });

    test('ends on both when it is signed out, when the next one begins, and with all of its account', async () => {
      await using at = await stage();
      const first = await signedIn(at.one);
      await at.one.signOut(first.token);
      expect(await at.two.sessions.find(first.token)).toBeNull();
      const second = await signedIn(at.one);
      const third = await signedIn(at.two, 'acme', second.token);
      expect(await at.one.sessions.find(second.token)).toBeNull();
      const other = await signedIn(at.one, 'another');
      expect(await at.one.sessions.endAllOf('acme')).toBe(1);
      expect(await at.two.sessions.find(third.token)).toBeNull();
      expect(await at.two.sessions.find(other.token)).not.toBeNull();
    });

    test('is removed some time after its end', async () => {
      await using at = await stage();
      await signedIn(at.one);
      at.clock.aheadMs = 13 * HOUR;
      await signedIn(at.one);
      expect(await countOf(at.documents, SESSIONS.name)).toBe(1);
    });

    test('is counted by account while it is open', async () => {
      await using at = await stage();
      await signedIn(at.one);
      at.clock.aheadMs = HOUR;
      for (const account of ['acme', 'another']) await signedIn(at.two, account);
      expect(await at.one.sessions.count()).toEqual(
        new Map([
          ['acme', 2],
          ['another', 1],
        ]),
      );
      at.clock.aheadMs = 12 * HOUR + 60_000;
      expect(await at.two.sessions.count()).toEqual(
        new Map([
          ['acme', 1],
          ['another', 1],
        ]),
      );
    });

    test('that meets others whenever it is to end is not taken for ended, nor an identity for joined', async () => {
      await using at = await stage();
      const { token } = await signedIn(at.one);
      const conflict = async () => ['conflict'] as const;
      const documents = overriding(at.documents, { write: conflict, remove: conflict });
      const digest = keyDigest('a secret of tests');
      const identity = { issuer: 'https://id.example', subject: 'ada' };
      await expect(createSessions(documents, digest).end(token)).rejects.toThrow(RetryableError);
      await expect(joinAccount(documents, digest, identity, 'acme')).rejects.toThrow(RetryableError);
    });

    test('takes a form once, whichever process it is sent to', async () => {
      await using at = await stage();
      const { token } = await signedIn(at.one);
      const answers = await Promise.all(
        [at.one, at.two, at.one, at.two].map((accounts) => accounts.sessions.isFirst(token, 'a form')),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await at.two.sessions.isFirst(token, 'another form')).toBe(true);
      expect(await at.two.sessions.isFirst('0'.repeat(43), 'a form')).toBe(false);
    });
  });

  test('the audit list says what was done, the newest first, and keeps the newest 200 of an account', async () => {
    await using at = await stage();
    const { name } = await signedIn(at.one);
    for (let count = 0; count < 205; count += 1) {
      at.clock.aheadMs += 1000;
      await at.two.note('acme', { action: 'key_named', keyId: `k_${count}`, session: name });
    }
    await at.one.note('another', { action: 'key_named', keyId: 'k_other' });
    const [newest] = await at.one.history('acme', 20);
    expect(newest).toMatchObject({ action: 'key_named', key_id: 'k_204', session: name });
    expect(await at.one.history('acme', 300)).toHaveLength(200);
    expect(await at.one.history('another', 300)).toHaveLength(1);
    expect(await countOf(at.documents, AUDIT.name)).toBe(201);
  });
}

/** The same store, whose clock is so far ahead. */
function later(documents: Documents, clock: { readonly aheadMs: number }): Documents {
  return overriding(documents, { now: async () => (await documents.now()) + clock.aheadMs });
}

async function countOf(documents: Documents, collection: string): Promise<number> {
  return (await storedIn(documents, collection)).length;
}
