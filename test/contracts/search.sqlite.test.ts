import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { openSqlite } from '../../src/platform/sqlite/open-database.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { lock } from '../support/sqlite-log.ts';
import { contents, entry, hits, ids, many } from './search-bench.ts';
import { searchContract } from './search.ts';

const folder = temporaryFolder();

searchContract('SQLite', () => {
  const path = join(folder, 'search.db');
  return {
    open: async () => openSqliteSearch(path, { patienceMs: 1000 }),
    cut: async () => {
      const release = lock(path);
      return { heal: async () => release() };
    },
  };
});

const INDEX = 'listings@1';
const ALPHA = entry('a', { titles: ['Alpha'] });

/** The file, and what SQLite keeps beside it. */
const FILES = ['', '-wal', '-shm'];

function deleteDatabase(path: string, suffixes: readonly string[] = FILES): void {
  for (const suffix of suffixes) rmSync(`${path}${suffix}`, { force: true });
}

describe('the SQLite file', () => {
  test('searches and changes leave the thread to others', async () => {
    await using search = openSqliteSearch(join(folder, 'turns.db'));
    await search.declare(INDEX);
    for (const work of [() => search.put(INDEX, many(500)), () => hits(search, INDEX, 'common')]) {
      let turns = 0;
      let done = false;
      const counting = (async () => {
        for (; !done; turns += 1) await nextTurn();
      })();
      await work();
      done = true;
      await counting;
      expect(turns).toBeGreaterThan(1);
    }
  });

  test('a query is answered while a large batch is being put by the same client', async () => {
    await using search = openSqliteSearch(join(folder, 'between.db'));
    await search.declare(INDEX);
    await search.put(INDEX, [ALPHA]);
    let isPut = false;
    const put = search.put(INDEX, many(1500)).then(() => {
      isPut = true;
    });
    expect(await ids(search, INDEX, 'alpha')).toEqual(['a']);
    expect(isPut).toBe(false);
    await put;
  });

  test('reads, and declarations of what is there, go on while another connection is writing', async () => {
    const path = join(folder, 'reading.db');
    await using search = openSqliteSearch(path, { patienceMs: 0 });
    await search.declare(INDEX);
    await search.put(INDEX, [ALPHA]);
    const release = lock(path);
    expect(await ids(search, INDEX, 'alpha')).toEqual(['a']);
    await search.declare(INDEX);
    release();
  });

  test('a query that nobody waits for any more is refused as retryable', async () => {
    await using search = openSqliteSearch(join(folder, 'queue.db'), { queueMs: 0 });
    await search.declare(INDEX);
    await expect(hits(search, INDEX, 'alpha')).rejects.toThrow(RetryableError);
    // It may be the only one.
    await expect(hits(search, INDEX, 'alpha')).rejects.toThrow('This search took longer than its time');
  });

  test('a damaged file is reported by every call, with what to do, and as good as new once it is deleted', async () => {
    const path = join(folder, 'damaged.db');
    writeFileSync(path, 'This is no database. '.repeat(500));
    await using search = openSqliteSearch(path);
    await expect(search.check()).rejects.toThrow(PermanentError);
    await expect(search.declare(INDEX)).rejects.toThrow(`${path} is damaged or is not a database. Delete it`);
    deleteDatabase(path);
    await search.declare(INDEX);
    await search.put(INDEX, [ALPHA]);
    expect(await ids(search, INDEX, 'alpha')).toEqual(['a']);
  });

  test('a file that was damaged in the middle is reported', async () => {
    const path = join(folder, 'torn.db');
    {
      await using search = openSqliteSearch(path);
      await search.declare(INDEX);
      await search.put(INDEX, many(300));
    }
    truncateSync(path, statSync(path).size - 40_960);
    await using search = openSqliteSearch(path);
    await expect(search.check()).rejects.toThrow('is damaged');
  });

  test.for([
    { what: 'search.db alone', suffixes: [''] },
    { what: 'search.db and what is beside it', suffixes: FILES },
  ])(
    'where $what is deleted under open clients, all of them miss it, and one fills it again',
    async (deleted) => {
      const path = join(folder, `deleted-${deleted.suffixes.length}.db`);
      await using search = openSqliteSearch(path);
      await using other = openSqliteSearch(path);
      await search.declare(INDEX);
      await search.put(INDEX, [ALPHA, entry('b', { titles: ['Alpha'] })]);
      expect(await ids(other, INDEX, 'alpha')).toEqual(['a', 'b']);
      deleteDatabase(path, deleted.suffixes);
      expect(await contents(search, INDEX)).toEqual(new Map());
      await expect(hits(other, INDEX, 'alpha')).rejects.toThrow(RetryableError);
      await search.declare(INDEX);
      await search.put(INDEX, [ALPHA]);
      expect(await ids(other, INDEX, 'alpha')).toEqual(['a']);
      expect(await ids(search, INDEX, 'alpha')).toEqual(['a']);
    },
  );

  test('words, names and kinds that were found before are looked up again where another client has changed them', async () => {
    const path = join(folder, 'changed.db');
    await using search = openSqliteSearch(path);
    await using other = openSqliteSearch(path);
    await search.declare(INDEX);
    await search.put(INDEX, [entry('a', { titles: ['Omega one'] }), entry('b', { titles: ['Saga'] })]);
    // As it is written, and with a slip: for that names are compared that end alike.
    const found = async () => [await ids(search, INDEX, 'omega'), await ids(search, INDEX, 'oemga')];
    expect(await found()).toEqual([['a'], ['a']]);
    await other.put(INDEX, [entry('b', { titles: ['Omega two'] })]);
    expect(await found()).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    await other.remove(INDEX, ['a']);
    expect(await found()).toEqual([['b'], ['b']]);
    const bots = async () => await ids(search, INDEX, 'omega', { filter: { kind: 'bot' } });
    expect(await bots()).toEqual([]);
    await other.put(INDEX, [entry('b', { titles: ['Omega two'], kind: 'bot' })]);
    expect(await bots()).toEqual(['b']);
  });

  test('words that were found in a file are looked up again in another one of its path that looks alike', async () => {
    const path = join(folder, 'alike.db');
    await using search = openSqliteSearch(path);
    for (const [omega, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      deleteDatabase(path);
      await using filling = openSqliteSearch(path);
      await filling.declare(INDEX);
      await filling.put(INDEX, [entry('a', { titles: [omega === 'a' ? 'Omega one' : 'Alpha one'] })]);
      await filling.put(INDEX, [entry('b', { titles: [omega === 'b' ? 'Omega one' : 'Alpha one'] })]);
      expect(await ids(search, INDEX, 'omega')).toEqual([omega]);
      expect(await ids(search, INDEX, 'one')).toEqual([omega, other].toSorted());
    }
  });

  test('a file that another release made is refused', async () => {
    const path = join(folder, 'other-release.db');
    const database = openSqlite(path, { durability: 'normal', busyMs: 1000 });
    database.exec('PRAGMA user_version = 3');
    database.close();
    await using search = openSqliteSearch(path);
    await expect(search.check()).rejects.toThrow('made by another release');
  });
});
