import { afterAll, beforeAll, expect, test } from 'vitest';

import { composeAccounts, composeKeys } from '../../src/compose/access.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { install, type Installation, type RunCommand } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';

/** What an operator does to an account on the command line, as its holder sees it. */

const DAY = 86_400_000;

let catalog: Installation;
let run: RunCommand;
let parts: Parts;

beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off' });
  run = commandsHere(catalog);
  parts = await compose(readConfig(catalog.env), 'test');
});
afterAll(async () => {
  await parts?.[Symbol.asyncDispose]();
  await catalog?.[Symbol.asyncDispose]();
});

async function accounts() {
  return await composeAccounts(parts, await composeKeys(parts));
}

test('keys that are made, rotated and revoked stand in the audit list, as an operator’s doing', async () => {
  const made = await run(['keys', 'create', '--account', 'acme', '--json']);
  const { id } = JSON.parse(made.stdout) as { id: string };
  await run(['keys', 'rotate', '--account', 'acme', id]);
  await run(['keys', 'revoke', '--account', 'acme', id]);
  // What was refused was not done.
  expect((await run(['keys', 'revoke', '--account', 'acme', 'k_0000000000'])).code).toBe(1);
  const history = await (await accounts()).history('acme', 10);
  expect(history.map(({ action, keyId, session }) => `${action} ${keyId} ${session}`).toSorted()).toEqual([
    `key_created ${id} null`,
    `key_revoked ${id} null`,
    `key_rotated ${id} null`,
  ]);
});

test('all sessions of an account end, those of others do not', async () => {
  const service = await accounts();
  const signIn = async (account: string) => {
    const signedIn = await service.signInByLink((await service.invite(account, DAY)).token, null);
    if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
    return signedIn.session.token;
  };
  const [first, second, other] = [await signIn('ada'), await signIn('ada'), await signIn('grace')];
  expect((await run(['accounts', 'sessions', 'end', 'ada'])).stdout).toBe('2 sessions of ada ended.\n');
  expect(await service.sessions.find(first)).toBeNull();
  expect(await service.sessions.find(second)).toBeNull();
  expect(await service.sessions.find(other)).not.toBeNull();
  expect((await service.history('ada', 1))[0]).toMatchObject({ action: 'sessions_ended', session: null });
});
