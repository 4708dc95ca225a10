import { setImmediate as nextTurn } from 'node:timers/promises';

import { systemClock } from '../../../platform/time/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { chunks } from '../../../platform/chunks.ts';
import { refusal } from '../checks.ts';
import type { Applied, Content, Hits, SearchEntry, SearchQuery } from '../port.ts';
import { SearchFile, type SearchFileOptions } from './search-file.ts';
import { rank } from './rank-matches.ts';
import { declareIndex, dropIndex, requireTables, type Tables, tablesOf } from './tables.ts';
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

/** The file as the worker thread sees it. Its state is the connection to it. */
export class SqliteIndexes {
  readonly #file: SearchFile;

  constructor(options: SearchFileOptions) {
    this.#file = new SearchFile(options);
  }

  async declare(index: string): Promise<void> {
    // Every start declares what is there already: that waits for no other process's write.
    const isThere = await this.#file.snapshot(() => tablesOf(this.#file, index) !== null);
    if (isThere) return;
    await this.#file.change((database) => declareIndex(this.#file, database, index));
  }

  async put(index: string, entries: readonly SearchEntry[]): Promise<Applied> {
    const reason = refusal(entries);
    if (reason !== null) return { outcome: 'failed', reason };
    for (const chunk of chunks(entries, CHUNK)) {
      await this.#file.change(() => {
        const tables = requireTables(this.#file, index);
        putEntries(this.#file, tables, chunk);
      });
      await nextTurn();
    }
    return DONE;
  }

  async remove(index: string, ids: readonly string[]): Promise<Applied> {
    for (const chunk of chunks(ids, CHUNK)) {
      await this.#file.change(() => {
        const tables = tablesOf(this.#file, index);
        if (tables) removeEntries(this.#file, tables, chunk);
      });
      await nextTurn();
    }
    return DONE;
  }

  async seal(index: string, seal: string, without: readonly string[]): Promise<void> {
    await this.#file.change(() => {
      const tables = requireTables(this.#file, index);
      for (const old of without) this.#file.run(`DELETE FROM ${tables.seals} WHERE seal = ?`, old);
      this.#file.run(`INSERT OR IGNORE INTO ${tables.seals} (seal) VALUES (?)`, seal);
    });
  }

  async seals(index: string): Promise<readonly string[] | null> {
    return await this.#file.snapshot(() => {
      const tables = tablesOf(this.#file, index);
      return tables && this.#seals(tables);
    });
  }

  /** Past the deadline, by `systemClock.monotonic`, nobody waits for it any more: it is refused as retryable. */
  async query(index: string, query: SearchQuery, deadline: number): Promise<Hits> {
    if (systemClock.monotonic() >= deadline) throw new RetryableError(LATE);
    return await this.#file.snapshot(() => {
      const tables = requireTables(this.#file, index);
      return { ...rank(this.#file, tables, query), seals: this.#seals(tables) };
    });
  }

  /** A batch of them, behind the id `after`; empty at the beginning. */
  async contents(index: string, after: string): Promise<readonly Content[]> {
    return await this.#file.snapshot(() => {
      const tables = tablesOf(this.#file, index);
      if (!tables) return [];
      const sql = `SELECT id, digest FROM ${tables.entries} WHERE id > ? ORDER BY id LIMIT ?`;
      const rows = this.#file.rows(sql, after, SCANNED);
      return rows.map(([id, digest]) => ({ id: String(id), digest: String(digest) }));
    });
  }

  async indexes(): Promise<readonly string[]> {
    return await this.#file.snapshot(() =>
      this.#file.rows('SELECT name FROM indexes ORDER BY name').map(([name]) => String(name)),
    );
  }

  async drop(index: string): Promise<void> {
    await this.#file.change((database) => dropIndex(this.#file, database, index));
  }

  async check(): Promise<void> {
    await this.indexes();
  }

  close(): void {
    this.#file.close();
  }

  /** Part of a transaction. */
  #seals(tables: Tables): readonly string[] {
    return this.#file.rows(`SELECT seal FROM ${tables.seals} ORDER BY seal`).map(([seal]) => String(seal));
  }
}
