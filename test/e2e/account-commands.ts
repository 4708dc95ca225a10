import { describe, expect, test } from 'vitest';

import { QUOTA } from '../../src/access/quota/quota-day-document.ts';
import { createQuota } from '../../src/access/quota/quota.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { composeAccounts, composeKeys } from '../../src/compose/keys-and-accounts.ts';
import { DAY } from '../support/account-stage.ts';
import { type Mode, openInstalled } from '../support/mode.ts';
import type { RunCommand } from '../support/process.ts';
import { putDocument } from '../support/documents.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** What an operator does to an account on the command line, as its holder sees it. */
export function accountCommands(mode: Mode): void {
  describe.runIf(mode.isHere)(`commands on accounts, ${mode.name}`, () => {
    const installed = forAllTests(() => openInstalled(mode));
    const run: RunCommand = (...asked) => installed.run(...asked);

    async function accounts() {
      return await composeAccounts(installed.parts, await composeKeys(installed.parts));
    }

    test('keys that are made, rotated and revoked stand in the audit list, as an operator’s doing', async () => {
      const json = async (...args: readonly string[]) =>
        JSON.parse((await run([...args, '--json'])).stdout) as Readonly<Record<string, unknown>>;
      const { id, key } = await json('keys', 'create', '--account', 'acme', '--label', 'web');
      const fresh = await json('keys', 'rotate', '--account', 'acme', String(id), '--overlap', '7d');
      expect(fresh).toMatchObject({ outcome: 'rotated', replaces: { id } });
      const again = await run(['keys', 'rotate', '--account', 'acme', String(id)]);
      expect(again.stderr).toMatch(/^catalog: k_\w+ is being replaced already and works until .+\n$/);
      const { stdout: listed } = await run(['keys', 'list', '--account', 'acme']);
      const { ends_at } = fresh['replaces'] as { readonly ends_at: string };
      expect(listed).toMatch(new RegExp(`^${String(id)} .*${ends_at} .*web$`, 'm'));
      expect(listed).toMatch(new RegExp(`^${String(fresh['id'])} .* - .*web$`, 'm'));
      expect(listed).not.toContain(String(key).slice(9, 30));
      await run(['keys', 'revoke', '--account', 'acme', String(id)]);
      // What was refused was not done.
      expect((await run(['keys', 'revoke', '--account', 'acme', 'k_0000000000'])).code).toBe(1);
      const history = await (await accounts()).history('acme', 10);
      expect(
        history.map(({ action, key_id: of, session }) => `${action} ${of} ${session}`).toSorted(),
      ).toEqual(['created', 'revoked', 'rotated'].map((action) => `key_${action} ${String(id)} null`));
    });

    test('a key in the place of another argument is refused in one line, and not repeated', async () => {
      const key = `cat_live_${'a'.repeat(36)}`;
      for (const args of [
        ['rotate', '--account', 'acme', key],
        ['rotate', '--account', 'acme', 'k_unknown0000', key],
        ['revoke', '--account', key, 'k_unknown0000'],
      ]) {
        const { code, stdout, stderr } = await run(['keys', ...args]);
        expect(code, args.join(' ')).toBe(2);
        expect(stderr).toMatch(/^catalog: .+\n$/);
        expect(stdout + stderr).not.toContain('aaa');
      }
    });

    test('lists show the last use and the requests of days, with what may only be held, as the page does', async () => {
      const made = await run(['keys', 'create', '--account', 'busy', '--json']);
      const { id } = JSON.parse(made.stdout) as { id: string };
      {
        await using quota = createQuota({ documents: installed.parts.documents, clock: systemClock });
        await quota.declare();
        for (let count = 0; count < 3; count += 1) await quota.take('busy/1', id);
        // While it is open it may hold some in advance.
      }
      const service = await composeKeys(installed.parts);
      const { today, lastUsed, days } = await service.usage('busy', 30);
      const yesterday = new Date(Date.parse(today) - DAY).toISOString().slice(0, 10);
      const counted = { place: 'busy/1', day: yesterday, shares: { w: 7 }, uses: { w: { [id]: [7, 5] } } };
      await putDocument(installed.parts.documents, QUOTA.name, `busy/1/${yesterday}`, counted);
      expect(days).toMatchObject([{ requests: 3 }]);
      const listed = JSON.parse(
        (await run(['keys', 'list', '--account', 'busy', '--json'])).stdout,
      ) as object;
      expect(listed).toMatchObject({
        keys: [{ id, last_used_at: lastUsed.get(id), today: 3, held_today: 0, in_30_days: 10 }],
      });
      const guest = await accounts();
      await guest.signInByLink((await guest.invite('guest', DAY)).token, null);
      const all = JSON.parse((await run(['accounts', 'list', '--json'])).stdout) as { accounts: object[] };
      expect(all.accounts).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ account: 'busy', sessions: 0, today: 3, held_today: 0, in_30_days: 10 }),
          // Let in, and without a key as yet.
          expect.objectContaining({ account: 'guest', active_keys: 0, sessions: 1, last_used_at: null }),
        ]),
      );
    });

    test('all sessions of an account end, those of others do not', async () => {
      const service = await accounts();
      const signIn = async (account: string) => {
        const signedIn = await service.signInByLink((await service.invite(account, DAY)).token, null);
        if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
        return signedIn.session.token;
      };
      const [first, second, other] = [await signIn('ada'), await signIn('ada'), await signIn('grace')];
      expect((await run(['accounts', 'sign-out', 'ada'])).stdout).toBe('2 sessions of ada ended.\n');
      expect(await service.sessions.find(first)).toBeNull();
      expect(await service.sessions.find(second)).toBeNull();
      expect(await service.sessions.find(other)).not.toBeNull();
      expect((await service.history('ada', 1))[0]).toMatchObject({ action: 'sessions_ended', session: null });
    });
  });
}
