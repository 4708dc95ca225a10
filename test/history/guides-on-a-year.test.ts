import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { readShadows } from '../../src/stores/shadows.ts';
import { temporaryFolder } from '../support/folder.ts';
import { commandsIn, readFile, sh } from '../support/guides.ts';
import { openYear } from '../support/year.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** Every command of the guides about time, run as it stands there on the simulated year that they name. */

const ROOT = join(import.meta.dirname, '../..');
const HISTORY = 'ask-the-history.md';

const year = forAllTests(openYear);
const folder = temporaryFolder();
beforeAll(() => {
  const [, formula = ''] = /^```ts\n(.+?)^```$/ms.exec(pageOf('replay.md')) ?? [];
  writeFileSync(join(folder, 'weights.ts'), formula.replaceAll("'./projections/", `'${ROOT}/projections/`));
});

function pageOf(guide: string): string {
  return readFile(`docs/guides/${guide}`);
}

function run(command: string) {
  return sh(command, folder, year.env);
}

// `compare` looks at what `shadows replay` has made.
describe.each([HISTORY, 'replay.md', 'compare.md'])('docs/guides/%s', (guide) => {
  test.each(commandsIn(pageOf(guide)))('%s', async (command) => {
    const { code, stdout, stderr } = await run(command);
    expect(code, stderr).toBe(0);
    expect(stdout.length + Number(command.includes('>'))).toBeGreaterThan(0);
  });
});

describe('docs/guides/ask-the-history.md', () => {
  const [life = '', , seen = '', scripted = '', top = '', ...more] = commandsIn(pageOf(HISTORY));

  test('has a command for each of its questions', () => {
    expect(more).toEqual([]);
  });

  test('shows steps that the command prints', async () => {
    const { stdout } = await run(life);
    const [, shown = ''] = /^```text\n(.+?)^```$/ms.exec(pageOf(HISTORY)) ?? [];
    for (const line of shown.trimEnd().split('\n')) {
      const [what = '', details = ''] = line.split(/ {2,}/);
      // A list of fields may leave out those between.
      const parts = details.split(/, | ?\.\.\./).map(escaped);
      expect(stdout).toMatch(new RegExp(`^.*\\b${escaped(what)} *.*${parts.join('.*')}`, 'm'));
    }
  });

  test('has the body of half a year ago, which is another one than today’s', async () => {
    const then = JSON.parse((await run(seen)).stdout) as { metrics: { history: readonly object[] } };
    expect(then).toMatchObject({ slug: 'manumuv-notes', title: 'All about patterns' });
    expect(JSON.parse((await run(scripted)).stdout)).toMatchObject({ status: 200, cut: [], left_out: 0 });
    const now = JSON.parse((await run(seen.replace('180d', '1m'))).stdout) as typeof then;
    expect(now.metrics.history).not.toEqual(then.metrics.history);
  });

  test('has leaders of half a year ago, who are others than today’s', async () => {
    const leaders = async (command: string) => {
      const { items } = JSON.parse((await run(command)).stdout) as { items: readonly { slug: string }[] };
      return items.map(({ slug }) => slug);
    };
    const then = await leaders(top);
    expect(then).toHaveLength(20);
    expect(await leaders(top.replace('180d', '1m'))).not.toEqual(then);
  });
});

test('the shadows of docs/guides/replay.md hold what they were asked for', async () => {
  const shadows = await readShadows(year.parts.documents);
  expect(shadows.map(({ id }) => id.replace(/^listings@\d+-/, '')).toSorted()).toEqual([
    'last-week',
    'more-trust',
    'newer',
    'weights',
  ]);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
