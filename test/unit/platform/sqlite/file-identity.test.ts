import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteLog } from '../../../../src/events/log/sqlite.ts';
import { openSqliteDocuments } from '../../../../src/stores/documents/sqlite.ts';
import { searchFile } from '../../../../src/stores/search/sqlite/search-file.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { createTestClock } from '../../../support/test-clock.ts';

test('what would be written to a file that is no longer at its path is refused, until it is back', async () => {
  const path = join(temporaryFolder(), 'data', 'documents.db');
  const clock = createTestClock();
  await using documents = openSqliteDocuments(path, { clock });
  await using log = openSqliteLog(join(dirname(path), 'log.db'), { clock });
  const search = searchFile({ path: join(dirname(path), 'search.db'), patienceMs: 0 });
  await search.snapshot(() => null);
  renameSync(dirname(path), `${dirname(path)}.moved`);
  clock.advance(1000);
  await expect(documents.collections()).rejects.toThrow(/documents\.db was deleted, .+ restart/);
  await expect(log.partitionCount('a')).rejects.toThrow(/log\.db was deleted, .+ restart/);
  await expect(search.snapshot(() => null)).rejects.toThrow(/search\.db was deleted or replaced/);
  expect(existsSync(dirname(path))).toBe(false);
  renameSync(`${dirname(path)}.moved`, dirname(path));
  clock.advance(1000);
  expect(await documents.collections()).toEqual([]);
  expect(await log.partitionCount('a')).toBe(0);
  await search.snapshot(() => null);
  search.close();
  rmSync(path);
  clock.advance(1000);
  await expect(documents.collections()).rejects.toThrow(/was deleted, /);
});
