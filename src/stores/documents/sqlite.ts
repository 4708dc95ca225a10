import { setImmediate as nextTurn } from 'node:timers/promises';

import { chunks } from '../../platform/chunks.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Access } from '../../platform/sqlite-opening.ts';
import type { Row } from '../../platform/sqlite-statements.ts';
import { checkIds, checkWrites, isId } from './checks.ts';
import { checkCollection, checkSpec } from './names.ts';
import type {
  CollectionSpec,
  CountQuery,
  Documents,
  Group,
  Outcome,
  Page,
  Query,
  Removal,
  Stored,
  Version,
  Write,
  WriteOptions,
} from './port.ts';
import { checkedCount, checkedFind } from './query.ts';
import { encodeCursor } from './cursor.ts';
import { servingIndexes } from './serving-indexes.ts';
import {
  declareCollection,
  dropCollection,
  EXISTS,
  INDEXES,
  indexesOf,
  NAMES,
} from './sqlite/collections.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { countQuery, pageQueries } from './sqlite/sql.ts';
import { type Expressions, expressionsOf, KEPT, nameOf, scalarOf, tableOf } from './sqlite/expressions.ts';

export interface SqliteDocumentsOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  /** Tells `now()`, and paces the attempts at a busy file. */
  readonly clock?: Clock;
  /** How long one attempt at a busy file blocks the thread, in milliseconds. Default 10. */
  readonly busyMs?: number;
  /** How long attempts go on, without blocking, before a call is refused as retryable. Default 5,000. */
  readonly patienceMs?: number;
  /** Called after each commit of `write` and `remove`. Where it throws, the answer is lost and the effect is not. */
  readonly afterCommitForTests?: () => void;
}

/**
 * Documents in a SQLite file, which any number of processes and threads of one machine may have open.
 * A commit survives the death of the process; a power cut may take the last ones (docs/reference/documents.md).
 * @throws {PermanentError} where the file cannot be used.
 */
export function openSqliteDocuments(path: string, options: SqliteDocumentsOptions = {}): Documents {
  return new SqliteDocuments(path, options);
}

/** What one transaction reads or changes before others have their turn. */
const CHUNK = 500;
/** Bodies are parsed too: of a page of twenty the half, so that nobody waits for longer than a millisecond. */
const BODIES = 10;
const SCANNED = 200;

/** Open until it is disposed of. Its only state is the file. */
class SqliteDocuments implements Documents {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #afterCommit: () => void;

  constructor(path: string, options: SqliteDocumentsOptions) {
    const { access, clock = systemClock, busyMs = 10, patienceMs = 5000 } = options;
    this.#connection = new SqliteConnection(path, { access, clock, busyMs, patienceMs });
    this.#clock = clock;
    this.#afterCommit = options.afterCommitForTests ?? (() => undefined);
  }

  get arrivals(): Documents['arrivals'] & {} {
    return this.#connection.arrivals;
  }

  async declare(spec: CollectionSpec): Promise<void> {
    checkSpec(spec);
    await this.#connection.change((database) => declareCollection(database, spec));
  }

  async get<Body>(collection: string, ids: readonly string[]): Promise<Map<string, Stored<Body>>> {
    const found = new Map<string, Stored<Body>>();
    for await (const rows of this.#rowsOf(collection, 'id, version, body', ids, BODIES)) {
      for (const row of rows) found.set(String(row[0]), storedOf<Body>(row));
    }
    return found;
  }

  /** Durable or not, it is the same: a file has no replicas. */
  async versions(collection: string, ids: readonly string[]): Promise<Map<string, Version>> {
    const found = new Map<string, Version>();
    for await (const rows of this.#rowsOf(collection, 'id, version', ids, CHUNK)) {
      for (const [id, version] of rows) found.set(String(id), String(version));
    }
    return found;
  }

  /** So many ids at a time; others have their turn in between. */
  async *#rowsOf(
    collection: string,
    columns: string,
    ids: readonly string[],
    atOnce: number,
  ): AsyncGenerator<readonly Row[]> {
    const sql = `SELECT ${columns} FROM ${tableOf(collection)} WHERE id IN (SELECT value FROM json_each(?))`;
    let isFirst = true;
    for (const chunk of chunks([...new Set(ids)].filter(isId), atOnce)) {
      if (!isFirst) await nextTurn();
      isFirst = false;
      yield await this.#read(collection, [], () => this.#connection.rows(sql, JSON.stringify(chunk)));
    }
  }

  async write<Body>(
    collection: string,
    writes: readonly Write<Body>[],
    { signal }: WriteOptions = {},
  ): Promise<readonly Outcome[]> {
    checkWrites(writes);
    const table = tableOf(collection);
    const insert = `INSERT INTO ${table} (id, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`;
    const update = `UPDATE ${table} SET version = ?, body = ? WHERE id = ? AND version = ?`;
    return await this.#change(
      collection,
      writes,
      ({ id, read, version, body }) => {
        const text = JSON.stringify(body);
        const changed =
          read === null
            ? this.#connection.run(insert, id, version, text)
            : this.#connection.run(update, version, text, id, read);
        // The write's own version is already there where its answer was lost and the caller repeats it.
        return changed > 0 || this.#versionOf(table, id) === version ? 'done' : 'conflict';
      },
      signal,
    );
  }

  async remove(collection: string, removals: readonly Removal[]): Promise<readonly Outcome[]> {
    checkIds(removals);
    const table = tableOf(collection);
    return await this.#change(collection, removals, ({ id, read }) => {
      const removed = this.#connection.run(`DELETE FROM ${table} WHERE id = ? AND version = ?`, id, read);
      return removed > 0 || this.#versionOf(table, id) === null ? 'done' : 'conflict';
    });
  }

  /** Applies changes ordered by id, so that neighbours in the file are written together; answers in their own order. */
  async #change<Change extends { readonly id: string }>(
    collection: string,
    changes: readonly Change[],
    apply: (change: Change) => Outcome,
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]> {
    checkCollection(collection);
    const outcomes = new Map<string, Outcome>();
    for (const chunk of chunks(
      changes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      CHUNK,
    )) {
      if (outcomes.size > 0) await nextTurn();
      const applied = await this.#connection.change(() => {
        if (signal?.aborted) throw new RetryableError('Nobody waits for this call any more.');
        if (!this.#exists(collection)) throw new PermanentError(`There is no collection ${collection}.`);
        return chunk.map((change) => [change.id, apply(change)] as const);
      });
      this.#afterCommit();
      for (const [id, outcome] of applied) outcomes.set(id, outcome);
    }
    return changes.map(({ id }) => outcomes.get(id) as Outcome);
  }

  async find<Body>(collection: string, query: Query): Promise<Page<Body>> {
    const checked = checkedFind(query);
    const { order, limit } = query;
    return await this.#read<Page<Body>>(collection, { documents: [], next: null }, () => {
      servingIndexes(collection, this.#indexes(collection), checked);
      const queries = pageQueries(collection, checked, this.#expressions(collection));
      // One more than asked for tells whether there is a next page.
      const rows: Row[] = [];
      for (const { text, values } of queries) {
        if (rows.length > limit) break;
        for (const row of this.#connection.rows(text, ...values, limit + 1 - rows.length)) rows.push(row);
      }
      const page = rows.slice(0, limit);
      const [id, ...values] = page.at(-1) ?? [];
      const next = { id: String(id), values: values.map(scalarOf) };
      return {
        documents: this.#bodies<Body>(collection, page),
        next: rows.length > limit ? encodeCursor(order, next) : null,
      };
    });
  }

  /** Bodies are fetched last, so that finding and sorting touch the index alone. */
  #bodies<Body>(collection: string, page: readonly Row[]): readonly Stored<Body>[] {
    const sql = `SELECT id, version, body FROM ${tableOf(collection)} WHERE id = ?`;
    return page.flatMap(([id]) => this.#connection.rows(sql, String(id)).map((row) => storedOf<Body>(row)));
  }

  async count(collection: string, query: CountQuery): Promise<readonly Group[]> {
    const checked = checkedCount(query);
    return await this.#read<readonly Group[]>(collection, [], () => {
      servingIndexes(collection, this.#indexes(collection), checked);
      const { text, values } = countQuery(collection, checked, this.#expressions(collection));
      return this.#connection
        .rows(text, ...values)
        .map(([count, ...group]) => ({ values: group.map(scalarOf), count: Number(count) }))
        .filter(({ count }) => count > 0);
    });
  }

  async *scan<Body>(collection: string): AsyncGenerator<readonly Stored<Body>[]> {
    const sql = `SELECT id, version, body FROM ${tableOf(collection)} WHERE id > ? ORDER BY id LIMIT ${SCANNED}`;
    let last: string | undefined = '';
    while (last !== undefined) {
      const from: string = last;
      const rows = await this.#read(collection, [], () => this.#connection.rows(sql, from));
      if (rows.length > 0) yield rows.map((row) => storedOf<Body>(row));
      last = rows.length < SCANNED ? undefined : String(rows.at(-1)?.[0]);
      await nextTurn();
    }
  }

  async collections(): Promise<readonly string[]> {
    return await this.#connection.attempt(() => this.#connection.rows(NAMES).map(([name]) => String(name)));
  }

  async drop(collection: string): Promise<void> {
    checkCollection(collection);
    await this.#connection.change((database) => dropCollection(database, collection));
  }

  async now(): Promise<number> {
    return await this.#connection.attempt(() => this.#clock.now());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close();
  }

  /** Reads one state of the file; `absent` is the answer where there is no such collection. */
  async #read<T>(collection: string, absent: T, work: () => T): Promise<T> {
    checkCollection(collection);
    return await this.#connection.snapshot(() => (this.#exists(collection) ? work() : absent));
  }

  #exists(collection: string): boolean {
    return this.#connection.rows(EXISTS, collection).length > 0;
  }

  #indexes(collection: string): ReturnType<typeof indexesOf> {
    return indexesOf(this.#connection.rows(INDEXES, collection));
  }

  /** Collections that an earlier release has made keep no values: there is no other way to tell. */
  #expressions(collection: string): Expressions {
    const columns = this.#connection.rows(KEPT, nameOf(collection));
    return expressionsOf(new Set(columns.map(([name]) => String(name))));
  }

  #versionOf(table: string, id: string): Version | null {
    const [row] = this.#connection.rows(`SELECT version FROM ${table} WHERE id = ?`, id);
    return row ? String(row[0]) : null;
  }
}

function storedOf<Body>([id, version, body]: Row): Stored<Body> {
  return { id: String(id), version: String(version), body: JSON.parse(String(body)) as Body };
}
