import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../support/folder.ts';
import { runHere } from '../../support/run-here.ts';

/** Paths as people get them wrong: each is one line that says what to do, and no stack. */

const folder = temporaryFolder();
writeFileSync(join(folder, 'file'), '');
for (const name of ['log.db', 'documents.db', 'pepper'])
  mkdirSync(join(folder, 'folders', name), { recursive: true });

const PATHS = [
  join(folder, 'file'),
  join(folder, 'file/x'),
  join(folder, 'folders'),
  'x'.repeat(300),
  '/dev/null',
  '/proc/x',
];
const COMMANDS = [
  ['status'],
  ['trace', 'x'],
  ['history', 'x'],
  ['doctor', 'topics', '--create'],
  ['keys', 'create', '--account', 'a'],
  ['keys', 'list', '--account', 'a'],
];

test.each(PATHS.flatMap((path) => COMMANDS.map((args) => [path, args] as const)))(
  'CATALOG_DATA=%s and %j are one line of explanation',
  async (CATALOG_DATA, args) => {
    const { code, stdout, stderr } = await runHere(args, { CATALOG_DATA });
    expect(stderr).toMatch(/^catalog: (?!a fault of ours).+ (?:CATALOG_DATA|CATALOG_KEY_PEPPER) .+\n$/);
    expect([code, stdout]).toEqual([1, '']);
  },
);

test.each([
  ['missing.ndjson', /^catalog: There is no file \S+\. Give .+\n$/, 2],
  ['folders', /^catalog: \S+ is a folder\. Give .+\n$/, 2],
  ['file/x.ndjson', /^catalog: \S+ cannot be read: .+\n$/, 1],
])('publish %s is one line of explanation', async (name, explanation, exitCode) => {
  const { code, stdout, stderr } = await runHere(['publish', join(folder, name)], {
    CATALOG_DATA: join(folder, 'none'),
  });
  expect(stderr).toMatch(explanation);
  expect([code, stdout]).toEqual([exitCode, '']);
});

test.each([
  [
    ['keys', 'list', '--acount', 'x'],
    /^catalog: unknown option '--acount' \(Did you mean --account\?\)\. See .+\n$/,
  ],
  [['keys', 'list'], /^catalog: --account is missing\. See ".+ keys list --help"\.\n$/],
  [['trace', ''], /^catalog: <subject> is empty\. See ".+ trace --help"\.\n$/],
  [['keys', 'create', '--account', ''], /^catalog: --account is empty\. See .+\n$/],
  [['keys', 'lst'], /^catalog: unknown command 'lst' \(Did you mean list\?\)\. See .+\n$/],
] as const)('what is wrong with %j is named on one line', async (args, explanation) => {
  const { code, stdout, stderr } = await runHere(args, { CATALOG_DATA: join(folder, 'none') });
  expect(stderr).toMatch(explanation);
  expect([code, stdout]).toEqual([2, '']);
});

test.each([[[]], [['keys']], [['builds']]])(
  'a command that lacks one, %j, is followed by the help, as it is called here',
  async (args) => {
    const { code, stdout, stderr } = await runHere(args, { CATALOG_COMMAND: 'docker run catalog' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Usage: docker run catalog [^]+\ncatalog: a command is missing: .+\n$/);
    expect(stderr).not.toContain('npm run');
  },
);

test('what cannot be reached now is named, with the command that looks at it', async () => {
  const env = { CATALOG_DATA: join(folder, 'new'), CATALOG_LOG_URL: 'kafka://127.0.0.1:1' };
  const { code, stderr } = await runHere(['doctor', 'topics', '--create'], env);
  expect(stderr).toMatch(/^catalog: Kafka, connecting: .+\. Try again; ".+ doctor" looks at .+\.\n$/);
  expect(code).toBe(1);
});
