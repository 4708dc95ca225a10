import { setImmediate as nextTurn } from 'node:timers/promises';

import { batchesAfter, chunks } from '../../platform/chunks.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { SqliteConnection } from '../../platform/sqlite/connection.ts';
import type { Access } from '../../platform/sqlite/open-database.ts';
import { checkIds, checkOnly, checkWrites, isId } from './checks.ts';
import { checkCollection, checkSpec } from './names.ts';
import type {
  CollectionSpec,
  CountQuery,
  Documents,
  Group,
  Outcome,
  Page,
  Query,
  ReadOptions,
  Removal,
  Stored,
  Version,
  Write,
  WriteOptions,
} from './port.ts';
import { checkedCount, checkedFind } from './check-query.ts';
import { indexesForQuery } from './indexes-for-query.ts';
import { declareCollection, dropCollection, NAMES, SCHEMA } from './sqlite/collections.ts';
import { type Collection, Collections } from './sqlite/known-collections.ts';
import { countQuery, pageQuery } from './sqlite/queries.ts';
import { tableOf, scalarOf } from './sqlite/columns.ts';
import { type CollectionTable, type Run, SCANNED } from './sqlite/table-statements.ts';

export interface SqliteDocumentsOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  /** Tells `now()`, and paces the attempts at a busy file. */
  readonly clock?: Clock;
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
const CHUNK = 1000;
/** Holds the pages that one transaction changes, most of them of indexes: else they are read again, and written twice. */
const CACHE_KIB = 20 * 1024;
/** Bodies are parsed too: of a page of twenty the half, so that nobody waits for longer than a millisecond. */
const BODIES = 10;

/** Open until it is disposed of. Its only state is the file. */
class SqliteDocuments implements Documents {
  readonly #connection: SqliteConnection;
  readonly #clock: Clock;
  readonly #afterCommit: () => void;
  readonly #collections: Collections;

  constructor(path: string, options: SqliteDocumentsOptions) {
    const { access, clock = systemClock, patienceMs = 5000 } = options;
    this.#connection = new SqliteConnection(path, SCHEMA, { access, clock, patienceMs });
    this.#connection.rows(`PRAGMA cache_size = -${CACHE_KIB}`);
    this.#clock = clock;
    this.#collections = new Collections((sql, ...values) => this.#connection.rows(sql, ...values));
    this.#afterCommit = options.afterCommitForTests ?? (() => undefined);
  }

  async declare(spec: CollectionSpec): Promise<void> {
    checkSpec(spec);
    await this.#connection.change((database) => declareCollection(database, spec));
  }

  async get<Body>(
    collection: string,
    ids: readonly string[],
    { keys }: ReadOptions = {},
  ): Promise<Map<string, Stored<Body>>> {
    const found = new Map<string, Stored<Body>>();
    for await (const some of this.#chunksOf(collection, ids, BODIES, ({ table }, chunk) => {
      const { byIds, storedOf } = table.reading(keys);
      return this.#connection.rows(byIds, chunk).map((row) => storedOf(row) as Stored<Body>);
    })) {
      for (const stored of some) found.set(stored.id, stored);
    }
    return found;
  }

  /** Durable or not, it is the same: a file has no replicas. */
  async versions(collection: string, ids: readonly string[]): Promise<Map<string, Version>> {
    const found = new Map<string, Version>();
    for await (const rows of this.#chunksOf(collection, ids, CHUNK, ({ table }, chunk) =>
      this.#connection.rows(table.versions, chunk),
    )) {
      for (const [id, version] of rows) found.set(String(id), String(version));
    }
    return found;
  }

  /** So many ids at a time; others have their turn in between. */
  async *#chunksOf<T>(
    collection: string,
    ids: readonly string[],
    atOnce: number,
    read: (known: Collection, chunk: string) => readonly T[],
  ): AsyncGenerator<readonly T[]> {
    for (const [at, chunk] of [...chunks([...new Set(ids)].filter(isId), atOnce)].entries()) {
      if (at > 0) await nextTurn();
      yield await this.#read(collection, [], (known) => read(known, JSON.stringify(chunk)));
    }
  }

  async write<Body>(
    collection: string,
    writes: readonly Write<Body>[],
    { signal }: WriteOptions = {},
  ): Promise<readonly Outcome[]> {
    checkWrites(writes);
    return await this.#change(
      collection,
      writes,
      (write, { keys, table }) => {
        checkOnly(write, keys);
        const isWritten = table.write(write, this.#run);
        // The write's own version is already there where its answer was lost and the caller repeats it.
        return isWritten || this.#versionOf(table, write.id) === write.version ? 'done' : 'conflict';
      },
      signal,
    );
  }

  async remove(collection: string, removals: readonly Removal[]): Promise<readonly Outcome[]> {
    checkIds(removals);
    return await this.#change(collection, removals, (removal, { table }) => {
      const isRemoved = table.remove(removal, this.#run);
      return isRemoved || this.#versionOf(table, removal.id) === null ? 'done' : 'conflict';
    });
  }

  /** Applies changes ordered by id, so that neighbours in the file are written together; answers in their own order. */
  async #change<Change extends { readonly id: string }>(
    collection: string,
    changes: readonly Change[],
    apply: (change: Change, known: Collection) => Outcome,
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
        const known = this.#collections.get(collection);
        if (!known) throw new PermanentError(`There is no collection ${collection}.`);
        return chunk.map((change) => [change.id, apply(change, known)] as const);
      });
      this.#afterCommit();
      for (const [id, outcome] of applied) outcomes.set(id, outcome);
    }
    return changes.map(({ id }) => outcomes.get(id) as Outcome);
  }

  async find<Body>(collection: string, query: Query): Promise<Page<Body>> {
    const checked = checkedFind(query);
    const { limit, keys } = query;
    return await this.#read<Page<Body>>(collection, { documents: [], next: null }, (known) => {
      indexesForQuery(collection, known.indexes, checked);
      const { text, values } = pageQuery(tableOf(collection), checked);
      // One more than asked for tells whether there is a next page.
      const ids = this.#connection.rows(text, ...values, limit + 1).map(([id]) => String(id));
      const page = ids.slice(0, limit);
      // Bodies are fetched last, so that finding and sorting touch the index alone.
      const { byIds, storedOf } = known.table.reading(keys);
      const rows = this.#connection.rows(byIds, JSON.stringify(page));
      const found = new Map(rows.map((row) => [String(row[0]), storedOf(row) as Stored<Body>]));
      return {
        documents: page.flatMap((id) => found.get(id) ?? []),
        next: ids.length > limit ? (page.at(-1) ?? null) : null,
      };
    });
  }

  async count(collection: string, query: CountQuery): Promise<readonly Group[]> {
    const checked = checkedCount(query);
    return await this.#read<readonly Group[]>(collection, [], (known) => {
      indexesForQuery(collection, known.indexes, checked);
      const { text, values } = countQuery(tableOf(collection), checked);
      return this.#connection
        .rows(text, ...values)
        .map(([count, ...group]) => ({ values: group.map(scalarOf), count: Number(count) }))
        .filter(({ count }) => count > 0);
    });
  }

  async *scan<Body>(collection: string, { keys }: ReadOptions = {}): AsyncGenerator<readonly Stored<Body>[]> {
    const read = async (after: string) =>
      await this.#read<readonly Stored<Body>[]>(collection, [], ({ table }) => {
        const { behind, storedOf } = table.reading(keys);
        return this.#connection.rows(behind, after).map((row) => storedOf(row) as Stored<Body>);
      });
    for await (const batch of batchesAfter(SCANNED, read)) {
      yield batch;
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
  async #read<T>(collection: string, absent: T, work: (known: Collection) => T): Promise<T> {
    checkCollection(collection);
    return await this.#connection.snapshot(() => {
      const known = this.#collections.get(collection);
      return known ? work(known) : absent;
    });
  }

  readonly #run: Run = (sql, ...values) => this.#connection.run(sql, ...values);

  #versionOf({ versions }: CollectionTable, id: string): Version | null {
    const [row] = this.#connection.rows(versions, JSON.stringify([id]));
    return row ? String(row[1]) : null;
  }
}
