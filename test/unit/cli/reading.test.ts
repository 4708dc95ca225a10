import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ensureTopics, startProjector } from '../../../src/compose/projector.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { LISTINGS, MONITOR } from '../../support/collections.ts';
import { leavesOf, neededOptions, usualArguments } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runHere } from '../../support/run-here.ts';
import { openParts } from '../../support/parts.ts';

/** These make a data folder. */
const MAKING =
  /^(?:start|serve|project|publish|keep restore|keys create|accounts (?:invite|serve|sign-out))$/;
/** These need none, or report what is not there; `query` needs DuckDB first. */
const NEEDING_NONE = /^(?:simulate|openapi|doctor check|query)$/;
const LOOKING = leavesOf(await createProgram(() => undefined))
  .filter(({ name }) => !MAKING.test(name) && !NEEDING_NONE.test(name))
  .map(
    (leaf) =>
      [leaf.name, [...leaf.name.split(' '), ...neededOptions(leaf), ...usualArguments(leaf)]] as const,
  );

test('doctor makes nothing either, and reports what is not there', async () => {
  const folder = temporaryFolder();
  const CATALOG_DATA = join(folder, 'mistyped');
  const { code, stdout, stderr } = await runHere(['doctor'], { CATALOG_DATA });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('mistyped');
  expect(readdirSync(folder)).toEqual([]);
});

test('doctor finds nothing wrong with an installation that is used, and changes nothing in its folder', async () => {
  const folder = temporaryFolder();
  const env = { CATALOG_DATA: folder };
  await using parts = await openParts(env);
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  await expect.poll(async () => (await runHere(['status'], env)).code).toBe(0);
  chmodSync(join(folder, 'log.db'), 0o644);
  const before = await parts.documents.collections();
  const { code, stdout, stderr } = await runHere(['doctor'], env);
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/\n0 problems, 0 warnings, \d+ ok, \d+ not checked\.\n$/);
  expect(stdout).toContain(`${LISTINGS}: the documents are of this release.`);
  expect(stdout).toContain(`${MONITOR}: the documents are of this release.`);
  expect(await parts.documents.collections()).toEqual(before);
  expect(statSync(join(folder, 'log.db')).mode & 0o777).toBe(0o644);
});

describe.each(LOOKING)('%s', (_name, args) => {
  test('makes nothing where there is no data, and says so on one line', async () => {
    const folder = temporaryFolder();
    const CATALOG_DATA = join(folder, 'mistyped');
    const { code, stdout, stderr } = await runHere(args, { CATALOG_DATA });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^catalog: There is no data in \S+mistyped: .+ CATALOG_DATA .+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('makes nothing in a folder that is empty, or that holds something else', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'log.db'), '');
    writeFileSync(join(folder, 'documents.db'), '');
    const { code, stderr } = await runHere(args, { CATALOG_DATA: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: There is no data in .+\n$/);
    expect(readdirSync(folder).toSorted()).toEqual(['documents.db', 'log.db']);
  });
});

test('commands that look read beside a writer that holds the lock, and change no file', async () => {
  const folder = temporaryFolder();
  const env = { CATALOG_DATA: folder };
  await using parts = await openParts(env);
  await ensureTopics(parts);
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  await runHere(['keys', 'create', '--account', 'acme'], env);
  // Before its read models are complete, `status` says so with 1.
  await expect.poll(async () => (await runHere(['status'], env)).code).toBe(0);
  const { DatabaseSync } = await import('node:sqlite');
  const locks = ['log.db', 'documents.db'].map((name) => new DatabaseSync(join(folder, name)));
  for (const lock of locks) lock.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
  try {
    // 1: the log holds no event about it.
    for (const [args, expected = 0] of [
      [['status']],
      [['trace', 'x'], 1],
      [['parked', 'list']],
      [['keys', 'list', '--account', 'acme']],
      [['doctor', 'topics']],
      [['verify']],
      [['shadows', 'list']],
      [['export', 'listings']],
      [['export', 'events']],
    ] as const) {
      const { code, stderr } = await runHere(args, env);
      expect(stderr, args.join(' ')).toBe('');
      expect(code, args.join(' ')).toBe(expected);
    }
  } finally {
    for (const lock of locks) lock.close();
  }
});

test('a new key needs the pepper that the service has: none is made where only a key is replaced', async () => {
  const folder = temporaryFolder();
  const withPepper = { CATALOG_DATA: folder, CATALOG_KEY_PEPPER: 'the pepper of the service' };
  await runHere(['keys', 'create', '--account', 'acme'], withPepper);
  const listed = await runHere(['keys', 'list', '--account', 'acme', '--json'], { CATALOG_DATA: folder });
  const { keys } = JSON.parse(listed.stdout) as { readonly keys: readonly { readonly id: string }[] };
  const rotate = ['keys', 'rotate', '--account', 'acme', String(keys[0]?.id)];
  const { code, stderr } = await runHere(rotate, { CATALOG_DATA: folder });
  expect(stderr).toMatch(/^catalog: There is no pepper in the data folder\. Set CATALOG_KEY_PEPPER .+\n$/);
  expect(code).toBe(1);
  expect(existsSync(join(folder, 'pepper'))).toBe(false);
  expect((await runHere(rotate, withPepper)).code).toBe(0);
});

describe('another pepper than the keys were made with', () => {
  const OTHER = { CATALOG_KEY_PEPPER: 'the pepper of another service' };
  const refused = /^catalog: The API keys .+ made with another pepper .+ Put that one back\..+\n$/;
  const run = (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runHere(['keys', ...args, '--account', 'acme'], { CATALOG_DATA: folder, ...env });

  test('is refused, and a lost one is not made anew; a key can be revoked', async () => {
    const folder = temporaryFolder();
    expect((await run(folder, ['create'])).code).toBe(0);
    const { keys } = JSON.parse((await run(folder, ['list', '--json'])).stdout) as {
      readonly keys: readonly { readonly id: string }[];
    };
    const id = String(keys[0]?.id);
    const kept = readFileSync(join(folder, 'pepper'));
    for (const args of [['create'], ['rotate', id]]) {
      const { code, stdout, stderr } = await run(folder, args, OTHER);
      expect(stderr).toMatch(refused);
      expect([code, stdout]).toEqual([1, '']);
    }
    rmSync(join(folder, 'pepper'));
    expect((await run(folder, ['create'])).stderr).toMatch(refused);
    const revoked = await run(folder, ['revoke', id]);
    expect(revoked).toMatchObject({ code: 0, stdout: `${id} is revoked.\n`, stderr: '' });
    expect(existsSync(join(folder, 'pepper'))).toBe(false);
    writeFileSync(join(folder, 'pepper'), kept);
    const { stdout } = await run(folder, ['create', '--json']);
    const { id: next } = JSON.parse(stdout) as { readonly id: string };
    expect((await run(folder, ['revoke', next], OTHER)).code).toBe(0);
  });

  test('is none where there are no keys: what was tried before the first one counts for nothing', async () => {
    const folder = temporaryFolder();
    const missing = ['revoke', 'k_aaaaaaaaaaaa'];
    expect(
      (await runHere(['accounts', 'invite', '--account', 'acme'], { CATALOG_DATA: folder, ...OTHER })).code,
    ).toBe(0);
    expect((await run(folder, missing, OTHER)).code).toBe(1);
    expect((await run(folder, ['create'])).code).toBe(0);
    expect((await run(folder, ['create'])).code).toBe(0);
  });
});
