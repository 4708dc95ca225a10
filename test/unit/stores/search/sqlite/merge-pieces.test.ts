import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { RetryableError } from '../../../../../src/platform/errors.ts';
import { openSqlite } from '../../../../../src/platform/sqlite/open-database.ts';
import { openSqliteSearch } from '../../../../../src/stores/search/sqlite.ts';
import type { SearchFile } from '../../../../../src/stores/search/sqlite/search-file.ts';
import { workerOperations } from '../../../../../src/stores/search/sqlite/worker-operations.ts';
import { entry } from '../../../../contracts/search-bench.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const PUTS = 30;

/** How many pieces the words of the first index are in. */
function piecesOf(path: string): number {
  using file = openSqlite(path, { access: 'read', durability: 'normal', busyMs: 1000 });
  const row = file.prepare('SELECT count(DISTINCT segid) AS pieces FROM words_1_idx').get();
  return Number(row?.['pieces']);
}

test('a seal merges what filling has left in pieces, and finds the same', async () => {
  const path = join(temporaryFolder(), 'search.db');
  await using search = openSqliteSearch(path);
  await search.declare('index');
  for (let at = 0; at < PUTS; at += 1)
    await search.put('index', [entry(`a${at}`, { titles: [`python news ${at}`] })]);
  const query = { q: 'python', filter: {}, exclude: [], offset: 0, limit: 50 };
  const { seals: _none, ...before } = await search.query('index', query);
  expect(before.ids).toHaveLength(PUTS);
  expect(piecesOf(path)).toBeGreaterThan(5);
  await search.seal('index', 'whole', []);
  expect(piecesOf(path)).toBeLessThan(5);
  const { seals, ...after } = await search.query('index', query);
  expect(seals).toEqual(['whole']);
  expect(after).toEqual(before);
});

test('a seal stands where what it leaves to merge cannot be merged', async () => {
  const full = new RetryableError('the disk is full');
  const change = vi.fn<() => Promise<void>>().mockResolvedValueOnce().mockRejectedValue(full);
  await workerOperations({ change } as unknown as SearchFile).seal('index', 'whole', []);
  expect(change).toHaveBeenCalledTimes(2);
});
