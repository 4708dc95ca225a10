import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { commandsIn } from '../support/guides.ts';

/**
 * Who runs the commands of a page, as they stand there. A test that is named here reads the page; what stands in
 * `NOT_RUN` is left out by it, for the reason that is given.
 */
const RUN_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/history/everyday-guides.test.ts',
  'CONTRIBUTING.md': 'test/support/recipes.ts',
  'docs/guides/accounts.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/api-keys.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/ask-the-history.md': 'test/history/guides-on-a-year.test.ts',
  'docs/guides/backup-and-archive.md': 'test/history/backup-and-archive.test.ts',
  'docs/guides/compare.md': 'test/history/guides-on-a-year.test.ts',
  'docs/guides/erase.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/halted-lanes.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/notebook.md': 'test/sql/notebook.test.ts',
  'docs/guides/parked-events.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/publish-events.md': 'test/e2e/first-hour.test.ts',
  'docs/guides/publish-to-kafka.md': 'test/e2e/producers.kafka.test.ts',
  'docs/guides/replay.md': 'test/history/guides-on-a-year.test.ts',
  'docs/guides/simulate.md': 'test/history/everyday-guides.test.ts',
  'docs/guides/upgrade.md': 'test/history/upgrade.test.ts',
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
  [/^mongo(dump|restore) /, 'needs the tools of MongoDB'],
  [/ (accounts serve|serve)$/, 'needs MongoDB: test/e2e/roles.ts starts both'],
  [/^(export )?(CATALOG|KAFKA)_\w+=\S+( \w+=\S+)*$/, 'settings'],
];

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/guides/*.md', { cwd: root })].map(
  (page) => ({
    page,
    commands: commandsIn(read(page)),
  }),
);
const all = pages.flatMap(({ commands }) => commands);

test.each(pages.filter(({ commands }) => commands.length > 0))(
  'every command of $page is run by a test that reads the page, or has a reason why not',
  ({ page, commands }) => {
    const runner = RUN_BY[page];
    const isRun = runner !== undefined && read(runner).includes(page.split('/').at(-1) ?? page);
    const others = commands.filter((command) => !NOT_RUN.some(([pattern]) => pattern.test(command)));
    expect(isRun ? [] : others).toEqual([]);
  },
);

test('no reason is left of a command that is gone', () => {
  expect(all.length).toBeGreaterThan(80);
  expect(NOT_RUN.filter(([pattern]) => !all.some((command) => pattern.test(command)))).toEqual([]);
  expect(Object.keys(RUN_BY).filter((one) => !pages.some(({ page }) => page === one))).toEqual([]);
});
