import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { exampleCommands } from '../../../../support/command-line.ts';
import { measured, published } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';
import { makeTwoBuilds } from '../../../../support/two-builds.ts';

/** docs/guides/compare.md, whose commands test/history/guides-on-a-year.test.ts runs. */
const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/guides/compare.md'), 'utf8');
const CATALOG_DATA = temporaryFolder();

beforeAll(async () => {
  const events = [published(), measured(), published({ subject: 'durov' })];
  await makeTwoBuilds(CATALOG_DATA, { live: events, shadow: events });
});

test('the guide has a command for each way to compare', () => {
  const options = new Set(
    exampleCommands(guide)
      .flat()
      .filter((word) => word.startsWith('--')),
  );
  expect([...options].toSorted()).toEqual(['--fields', '--html', '--json', '--key', '--ndjson', '--top']);
});

test('a line of --ndjson has the fields that the guide shows', async () => {
  const [, sample = ''] = /```json\n([^]*?)```/.exec(guide) ?? [];
  const { stdout } = await runHere(['diff', 'live', 'weights', '--ndjson'], { CATALOG_DATA });
  const line = stdout.split('\n').find((one) => one.includes('"ai-news"')) ?? '';
  const shape = (text: string) =>
    Object.entries(JSON.parse(text) as Record<string, object>).map(([name, value]) => [
      name,
      name === 'fields' ? Object.keys(value).includes('score.value') : Object.keys(value),
    ]);
  expect(shape(line)).toEqual(shape(sample));
});
