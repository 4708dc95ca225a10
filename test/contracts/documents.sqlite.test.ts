import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { openSqlite } from '../../src/platform/sqlite/open-database.ts';
import { checkedCount, checkedFind } from '../../src/stores/documents/check-query.ts';
import type { Query } from '../../src/stores/documents/port.ts';
import { countQuery, pageQuery } from '../../src/stores/documents/sqlite/queries.ts';
import { type Sql, tableOf } from '../../src/stores/documents/sqlite/columns.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../support/folder.ts';
import { lock } from '../support/sqlite-log.ts';
import { expectAddedByProcesses, numbered, writing } from './documents-bench.ts';
import { documentsContract } from './documents.ts';

const folder = temporaryFolder();

/** The same file in trouble: the answer to a write is lost, or another process has the lock. */
function troubled(path: string) {
  return {
    openInterrupted: async () => {
      let cut = true;
      const afterCommitForTests = (): void => {
        if (!cut) return;
        cut = false;
        throw new RetryableError('The answer was lost');
      };
      return openSqliteDocuments(path, { afterCommitForTests });
    },
    cut: async () => {
      const release = lock(path);
      return { heal: async () => release() };
    },
  };
}

documentsContract('SQLite', () => {
  const path = join(folder, 'documents.db');
  return { open: async () => openSqliteDocuments(path, { patienceMs: 300 }), ...troubled(path) };
});

describe('the SQLite file', () => {
  test("a write waits for another connection's transaction and leaves the thread to others meanwhile", async () => {
    const path = join(folder, 'waiting.db');
    await using documents = openSqliteDocuments(path);
    await documents.declare({ name: 'c', indexes: [] });
    const release = lock(path);
    const written = documents.write('c', [writing('a', {})]);
    // Only a thread that is free gets here and lets the lock go.
    await nextTurn();
    release();
    expect(await written).toEqual(['done']);
  });

  test('reads go on while another connection is writing', async () => {
    const path = join(folder, 'reading.db');
    await using documents = openSqliteDocuments(path, { patienceMs: 0 });
    await documents.declare({ name: 'c', indexes: [] });
    await documents.write('c', [writing('a', {})]);
    const release = lock(path);
    expect((await documents.get('c', ['a'])).size).toBe(1);
    expect(await documents.count('c', { where: {}, by: [] })).toEqual([{ values: [], count: 1 }]);
    release();
  });

  test('a large write and a large read let others have their turn', async () => {
    await using documents = openSqliteDocuments(join(folder, 'turns.db'));
    await documents.declare({ name: 'c', indexes: [] });
    const ids = numbered(2000);
    let turns = 0;
    let done = false;
    const counting = (async () => {
      for (; !done; turns += 1) await nextTurn();
    })();
    await documents.write(
      'c',
      ids.map((id) => writing(id, {})),
    );
    const whileWriting = turns;
    expect(whileWriting).toBeGreaterThan(0);
    await documents.get('c', ids);
    expect(turns).toBeGreaterThan(whileWriting);
    done = true;
    await counting;
  });

  test('several processes add to one document, and what was acknowledged survives their death', async () => {
    const path = join(folder, 'processes.db');
    await using documents = openSqliteDocuments(path);
    await expectAddedByProcesses(documents, path, 100);
  });

  test('a page of a declared order is sought in its index, never sorted', async () => {
    const path = join(folder, 'plans.db');
    await using documents = openSqliteDocuments(path);
    await documents.declare({
      name: 'listings@1',
      indexes: [
        ['view.published', '-view.score.value'],
        ['view.published', 'view.kind', 'view.category', '-view.score.value'],
      ],
    });
    const database = openSqlite(path, { durability: 'normal', busyMs: 1000 });
    const plan = ({ text, values }: Sql, ...more: number[]): string =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...values, ...more)
        .map((row) => String(row['detail']))
        .join('; ');
    const order = ['-view.score.value'];
    const wheres: Query['where'][] = [
      { 'view.published': true },
      { 'view.published': true, 'view.kind': 'bot', 'view.category': 'x' },
    ];
    for (const where of wheres) {
      const query = pageQuery(tableOf('listings@1'), checkedFind({ where, order, limit: 10 }));
      expect(plan(query, 10)).toMatch(/^SEARCH d:listings@1 USING (COVERING )?INDEX i:\d+ \([^;]*$/);
    }
    const published = { where: { 'view.published': true }, by: ['view.kind', 'view.category'] };
    const count = countQuery(tableOf('listings@1'), checkedCount(published));
    expect(plan(count)).toMatch(/^SEARCH d:listings@1 USING (COVERING )?INDEX i:2 \([^;]*$/);
    database.close();
  });

  test('a later index over a key that documents have in their text is refused', async () => {
    await using documents = openSqliteDocuments(join(folder, 'later.db'));
    await documents.declare({ name: 'c', indexes: [['a']] });
    const declared = documents.declare({ name: 'c', indexes: [['a'], ['b']] });
    await expect(declared).rejects.toThrow('c was made without an index over b');
  });

  test('the clock of the file is the one that it was opened with', async () => {
    const clock = { now: () => 1_234_567, monotonic: () => 0, sleep: async () => undefined };
    await using documents = openSqliteDocuments(join(folder, 'clock.db'), { clock });
    expect(await documents.now()).toBe(1_234_567);
  });

  test.each([
    [1, 'earlier'],
    [3, 'earlier'],
    [5, 'newer'],
  ])('a file of another form is refused by name: version %i is of an %s release', (version, of) => {
    const path = join(folder, `version-${version}.db`);
    const database = openSqlite(path, { durability: 'normal', busyMs: 1000 });
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    expect(() => openSqliteDocuments(path)).toThrow(PermanentError);
    expect(() => openSqliteDocuments(path)).toThrow(new RegExp(`was made by an? ${of} release`));
  });
});
