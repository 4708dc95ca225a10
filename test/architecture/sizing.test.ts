import { expect, test } from 'vitest';

import { BENCHMARKS } from '../../bench/benchmarks.ts';
import { readFile } from '../support/guides.ts';

const NAMES = new Set(BENCHMARKS.flatMap(({ name, rows = [] }) => [name, ...rows]));

test('each figure for sizing is from a benchmark that there is', () => {
  const [, section = ''] = readFile('docs/guides/sizing.md').split(/^## /m);
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(10);
  const from = rows.map((row) => /^`([^`]+)`/.exec(row.split('|')[3]?.trim() ?? '')?.[1] ?? row);
  expect(from.filter((name) => !NAMES.has(name))).toEqual([]);
});
