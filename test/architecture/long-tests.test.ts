import { globSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { SERVICE_TESTS } from '../support/services/files.ts';
import { environmentOf, LONG_TESTS, SIZES } from '../support/sizes.ts';

const guide = readFileSync('docs/guides/long-tests.md', 'utf8');

test('the guide has the usual and the long size of every generated test', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| ([\d,]+) +\| ([\d,]+) +\|/gm)];
  const told = rows.map(([, name, ...sizes]) => [
    name,
    ...sizes.map((size) => Number(size.replaceAll(',', ''))),
  ]);
  expect(told).toEqual(Object.entries(SIZES).map(([name, { usual, long }]) => [name, usual, long]));
});

test('every size is one that a long test reads, or one on services', () => {
  const files = LONG_TESTS.map((pattern) => globSync(pattern));
  expect(files.filter((found) => found.length === 0)).toEqual([]);
  const support = [
    'test/support/laws.ts',
    'test/contracts/documents-model.ts',
    'test/contracts/search-hostility.ts',
  ];
  const sources = [...files.flat(), ...globSync(SERVICE_TESTS), ...support]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(SIZES).filter((size) => !sources.includes(`'${size}'`))).toEqual([]);
});

test('the long form is what is promised for every release at least', () => {
  expect(SIZES.LAW_CASES.long).toBeGreaterThanOrEqual(1000);
  expect(SIZES.SIMULATE_SEEDS.long).toBeGreaterThanOrEqual(500);
});

test('a size or a seed that is given goes before its own', () => {
  const given = environmentOf('long', { LAW_CASES: '7', TEST_SEED: '8' });
  expect(given).toMatchObject({ LAW_CASES: '7', TEST_SEED: '8', SIMULATE_SEEDS: '2000' });
});
