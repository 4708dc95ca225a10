import { globSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { commandsIn, isEveryday, readFile } from '../support/guides.ts';

interface Runner {
  readonly file: string;
  /** What it takes of a page: everything, the commands that this says, or the sections that it names. */
  readonly takes?: ((command: string, place: number) => boolean) | readonly string[];
}

const everyday: Runner = { file: 'test/history/everyday-guides.test.ts', takes: isEveryday };
const onAYear: Runner = { file: 'test/history/guides-on-a-year.test.ts' };

/** Who runs the commands of a page, as they stand there: each is a test that reads the page. */
const RUN_BY: Readonly<Record<string, Runner>> = {
  'README.md': everyday,
  'CONTRIBUTING.md': {
    file: 'test/support/recipes.ts',
    takes: ['Add a field', 'Add an endpoint', 'Add a projection', 'Add a page', 'Add an adapter'],
  },
  'docs/guides/accounts.md': everyday,
  'docs/guides/api-keys.md': everyday,
  'docs/guides/ask-the-history.md': onAYear,
  'docs/guides/backup-and-archive.md': {
    file: 'test/history/backup-and-archive.test.ts',
    takes: [
      '1. Archive the log',
      '2. Read it',
      '3. Check it',
      '4. Restore it into an empty log',
      '5. Back up an embedded installation',
      '6. Restore the backup',
    ],
  },
  'docs/guides/compare.md': onAYear,
  'docs/guides/erase.md': everyday,
  'docs/guides/halted-lanes.md': { file: everyday.file, takes: (_, place) => place === 0 },
  'docs/guides/notebook.md': {
    file: 'test/sql/notebook.test.ts',
    takes: (command) => /^npm run -s catalog -- |venv\b/.test(command),
  },
  'docs/guides/parked-events.md': everyday,
  'docs/guides/publish-events.md': {
    file: 'test/e2e/first-hour.test.ts',
    takes: [
      '1. Write events',
      '2. Validate',
      '3. Publish, and wait',
      '4. See it',
      '5. See one that is refused',
      'Standard input',
    ],
  },
  'docs/guides/replay.md': onAYear,
  'docs/guides/simulate.md': everyday,
  'docs/guides/upgrade.md': {
    file: 'test/history/upgrade.test.ts',
    takes: [
      '1. Keep the fold that is live',
      '3. Start the new release',
      '4. Cut over',
      '5. Go back',
      '6. Clean up',
    ],
  },
};

const NOT_RUN: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm (ci|test|start|run (check|dev))\b/, 'a newcomer does it, and .ci/run'],
  [/^npm ci --prefix extras\/sql$/, 'npm run test:sql begins with it'],
  [/\bnpm (test|run (test:\w+|soak|fuzz))\b/, 'a suite: .ci/run has it, or it takes hours or a service'],
  [/^export FAKETIME/, 'needs faketime'],
  [/^pip install|^schemathesis run/, 'needs Schemathesis'],
  [/^npm install |^npx /, 'needs the registry; test/e2e/typed-client.test.ts runs the same generator'],
  [/^cd test\/typed-client|^CATALOG_KEY=/, 'test/e2e/typed-client.test.ts runs these scripts by their paths'],
  [/^(\$acls|acls=)/, 'test/contracts/log-rights.kafka.test.ts gives these very rights, on a Kafka'],
  [/docker |^deploy\/secrets|secrets\/oidc/, 'needs a container engine: npm run test:compose does the same'],
  [/^SECRETS=|^MEILISEARCH_URL=/, 'needs MongoDB, Meilisearch: npm run test:compose runs both scripts'],
  [/^npm run -s catalog -- verify$/, 'run for README.md; after mongorestore it needs MongoDB'],
  [/^mongo(dump|restore) /, 'needs the tools of MongoDB'],
  [/^export CATALOG_DATA=.*|\bsimulate --year\b/, 'test/support/year.ts makes the year so'],
  [/ (accounts serve|serve)$/, 'needs MongoDB: test/e2e/roles.ts starts both'],
  [/^node publish\.mjs$/, 'test/e2e/producers.kafka.test.ts runs the sample'],
  [/^(export )?(CATALOG|KAFKA)_\w+=\S+( \w+=\S+)*$/, 'settings'],
];

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/guides/*.md', { cwd: root })].map(
  (page) => ({ page, commands: commandsIn(readFile(page)) }),
);
const all = pages.flatMap(({ commands }) => commands);

test.each(pages.filter(({ commands }) => commands.length > 0))(
  'every command of $page is run by a test that reads the page, or has a reason why not',
  ({ page, commands }) => {
    const others = commands.filter((command) => !NOT_RUN.some(([pattern]) => pattern.test(command)));
    const isRun = runOf(page);
    expect(others.filter((command) => !isRun(command, commands.indexOf(command)))).toEqual([]);
  },
);

/** Whether a test runs a command of the page; fails where it does not name the page, or a section. */
function runOf(page: string): (command: string, place: number) => boolean {
  const runner = RUN_BY[page];
  if (runner === undefined) return () => false;
  const { file, takes = () => true } = runner;
  const source = readFile(file);
  expect(source).toContain(page.split('/').at(-1));
  if (typeof takes === 'function') return takes;
  for (const title of takes) expect(source).toContain(`'${title.replace(/^Add /, '')}'`);
  const run = new Set(takes.flatMap((title) => commandsIn(readFile(page), title)));
  return (command) => run.has(command);
}

test('no reason is left of a command that is gone', () => {
  expect(all.length).toBeGreaterThan(80);
  expect(NOT_RUN.filter(([pattern]) => !all.some((command) => pattern.test(command)))).toEqual([]);
  expect(Object.keys(RUN_BY).filter((one) => !pages.some(({ page }) => page === one))).toEqual([]);
});
