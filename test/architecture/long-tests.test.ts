import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { environmentOf, SIZES } from '../support/sizes.ts';

const guide = readFileSync('docs/guides/long-tests.md', 'utf8');

test('the guide has the usual and the long size of every generated test', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| ([\d,]+) +\| ([\d,]+) +\|/gm)];
  const told = rows.map(([, name, ...sizes]) => [
    name,
    ...sizes.map((size) => Number(size.replaceAll(',', ''))),
  ]);
  expect(told).toEqual(Object.entries(SIZES).map(([name, { usual, long }]) => [name, usual, long]));
});

test('the long form is what is promised for every release at least', () => {
  expect(SIZES.LAW_CASES.long).toBeGreaterThanOrEqual(1000);
  expect(SIZES.SIMULATE_SEEDS.long).toBeGreaterThanOrEqual(500);
});

test('a size or a seed that is given goes before its own', () => {
  const given = environmentOf('long', { LAW_CASES: '7', TEST_SEED: '8' });
  expect(given).toMatchObject({ LAW_CASES: '7', TEST_SEED: '8', SIMULATE_SEEDS: '2000' });
});
