import { setImmediate as nextTurn } from 'node:timers/promises';

import { systemClock } from '../../../platform/time/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { chunks } from '../../../platform/chunks.ts';
import { refusal } from '../checks.ts';
import type { Applied, Content, Hits, SearchEntry, SearchQuery } from '../port.ts';
import type { SearchFile } from './search-file.ts';
import { rank } from './rank-matches.ts';
import { declareIndex, dropIndex, mergePieces, requireTables, type Tables, tablesOf } from './tables.ts';
import { putEntries, removeEntries } from './write-entries.ts';

/**
 * What one transaction changes before others have their turn: as much as a feeder sends at a time. The full-text tables are
 * written when it commits: the more entries together, the less for each.
 */
const CHUNK = 250;
const SCANNED = 1000;

const DONE: Applied = { outcome: 'done' };

/** A lone search may wait, too: behind a write, or on a machine with other work. */
const LATE =
  'This search took longer than its time: the search index, or this machine, is busy. Try it again';

export type WorkerOperations = ReturnType<typeof workerOperations>;

/** What the worker thread does with the file. */
export function workerOperations(file: SearchFile) {
  /** Part of a transaction. */
  const sealsOf = (tables: Tables): readonly string[] =>
    file.rows(`SELECT seal FROM ${tables.seals} ORDER BY seal`).map(([seal]) => String(seal));

  /** In steps, between which searches have their turn. */
  async function merge(index: string): Promise<void> {
    for (const name of ['words', 'trigrams'] as const) {
      const step = (): boolean => mergePieces(file, tablesOf(file, index)?.[name] ?? null);
      while (await file.change(step)) await nextTurn();
    }
  }

  return {
    declare: async (index: string): Promise<void> => {
      // Every start declares what is there already: that waits for no other process's write.
      const isThere = await file.snapshot(() => tablesOf(file, index) !== null);
      if (isThere) return;
      await file.change((database) => declareIndex(file, database, index));
    },
    put: async (index: string, entries: readonly SearchEntry[]): Promise<Applied> => {
      const reason = refusal(entries);
      if (reason !== null) return { outcome: 'failed', reason };
      for (const chunk of chunks(entries, CHUNK)) {
        await file.change(() => putEntries(file, requireTables(file, index), chunk));
        await nextTurn();
      }
      return DONE;
    },
    remove: async (index: string, ids: readonly string[]): Promise<Applied> => {
      for (const chunk of chunks(ids, CHUNK)) {
        await file.change(() => {
          const tables = tablesOf(file, index);
          if (tables) removeEntries(file, tables, chunk);
        });
        await nextTurn();
      }
      return DONE;
    },
    seal: async (index: string, seal: string, without: readonly string[]): Promise<void> => {
      await file.change(() => {
        const tables = requireTables(file, index);
        for (const old of without) file.run(`DELETE FROM ${tables.seals} WHERE seal = ?`, old);
        file.run(`INSERT OR IGNORE INTO ${tables.seals} (seal) VALUES (?)`, seal);
      });
      try {
        await merge(index);
      } catch (thrown) {
        // The index is whole without that, too: the next seal merges what is left.
        if (!(thrown instanceof RetryableError)) throw thrown;
      }
    },
    seals: async (index: string): Promise<readonly string[] | null> =>
      await file.snapshot(() => {
        const tables = tablesOf(file, index);
        return tables && sealsOf(tables);
      }),
    /** Past the deadline, by `systemClock.monotonic`, nobody waits for it any more: it is refused as retryable. */
    query: async (index: string, query: SearchQuery, deadline: number): Promise<Hits> => {
      if (systemClock.monotonic() >= deadline) throw new RetryableError(LATE);
      return await file.snapshot(() => {
        const tables = requireTables(file, index);
        return { ...rank(file, tables, query), seals: sealsOf(tables) };
      });
    },
    /** A batch of them, behind the id `after`; empty at the beginning. */
    contents: async (index: string, after: string): Promise<readonly Content[]> =>
      await file.snapshot(() => {
        const tables = tablesOf(file, index);
        if (!tables) return [];
        const sql = `SELECT id, digest FROM ${tables.entries} WHERE id > ? ORDER BY id LIMIT ?`;
        const rows = file.rows(sql, after, SCANNED);
        return rows.map(([id, digest]) => ({ id: String(id), digest: String(digest) }));
      }),
    indexes: async (): Promise<readonly string[]> =>
      await file.snapshot(() =>
        file.rows('SELECT name FROM indexes ORDER BY name').map(([name]) => String(name)),
      ),
    drop: async (index: string): Promise<void> => {
      await file.change((database) => dropIndex(file, database, index));
    },
  };
}
