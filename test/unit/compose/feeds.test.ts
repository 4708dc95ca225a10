import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { createSpent } from '../../../src/compose/feeds.ts';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';

test('what an engine has used is counted once; of another thread from its beginning, of one that ended nothing', async () => {
  const told = [() => 40, () => 55, () => 3, () => Promise.reject(new Error('it has ended')), () => 10];
  const spent = createSpent(async () => await (told.shift()?.() ?? 10));
  const all: number[] = [];
  for (let time = 0; time < 6; time += 1) all.push(await spent());
  expect(all).toEqual([0, 15, 0, 0, 7, 0]);
});

test('the embedded engine tells the CPU time of its own thread', async () => {
  await using search = openSqliteSearch(join(mkdtempSync(join(tmpdir(), 'catalog-test-')), 'search.db'));
  await search.declare('listings@1');
  const before = await search.cpuMs?.();
  expect(before).toBeGreaterThan(0);
  for (let time = 0; time < 100; time += 1) await search.seals('listings@1');
  expect(await search.cpuMs?.()).toBeGreaterThan(Number(before));
});
