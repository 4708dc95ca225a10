import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqlite } from '../../../../../src/platform/sqlite-opening.ts';
import type { SearchEntry } from '../../../../../src/stores/search/port.ts';
import { SqliteIndexes } from '../../../../../src/stores/search/sqlite/indexes.ts';
import { temporaryFolder } from '../../../../support/folder.ts';

const folder = temporaryFolder();

/** As many as a feeder puts at a time. */
const TOGETHER = 250;

test('what is put together is written to each full-text table in one piece', async () => {
  const path = join(folder, 'search.db');
  const indexes = new SqliteIndexes({ path, patienceMs: 1000 });
  await indexes.declare('listings');
  await indexes.put(
    'listings',
    Array.from({ length: TOGETHER }, (_, at) => entryOf(at)),
  );
  indexes.close();
  const database = openSqlite(path, { durability: 'normal', busyMs: 0 });
  for (const table of ['words_1', 'trigrams_1']) {
    const pieces = database.prepare(`SELECT count(DISTINCT segid) AS count FROM ${table}_idx`).get();
    expect(pieces, table).toEqual({ count: 1 });
  }
  database.close();
});

test('pieces of the full-text tables are merged by eight', async () => {
  const path = join(folder, 'merging.db');
  const indexes = new SqliteIndexes({ path, patienceMs: 1000 });
  await indexes.declare('listings');
  indexes.close();
  const database = openSqlite(path, { durability: 'normal', busyMs: 0 });
  // So small an index has nothing to merge yet: it is what the tables are told.
  for (const table of ['words_1', 'trigrams_1']) {
    const told = database.prepare(`SELECT v FROM ${table}_config WHERE k = 'automerge'`).get();
    expect(told, table).toEqual({ v: 8 });
  }
  database.close();
});

function entryOf(at: number): SearchEntry {
  const name = `entry${at}`;
  return {
    id: name,
    kind: 'channel',
    category: null,
    score: 1,
    exact: [name],
    names: [name],
    texts: ['about'],
    transliterated: { names: [name], texts: ['about'] },
  };
}
