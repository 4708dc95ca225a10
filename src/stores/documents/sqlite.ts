import { setImmediate as nextTurn } from 'node:timers/promises';

import { batchesAfter, chunks } from '../../platform/chunks.ts';
import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { SqliteConnection } from '../../platform/sqlite/connection.ts';
import type { Access, SqliteOptions } from '../../platform/sqlite/open-database.ts';
import { checkIds, checkOnly, checkWrites, isId } from './checks.ts';
import { checkCollection, checkSpec } from './check-names.ts';
import type {
  Documents,
  Outcome,
  Page,
  Query,
  ReadOptions,
  Stored,
  Version,
  Write,
  WriteOptions,
} from './port.ts';
import { checkedCount, checkedFind } from './check-query.ts';
import { indexesForQuery } from './require-index-for-query.ts';
import { declareCollection, dropCollection, NAMES, SCHEMA } from './sqlite/collections.ts';
import { type Collection, knownCollections, type Rows } from './sqlite/known-collections.ts';
import { countQuery, pageQuery } from './sqlite/queries.ts';
import { tableOf, scalarOf } from './sqlite/columns.ts';
import { type CollectionTable, type Run, SCANNED } from './sqlite/table-statements.ts';

interface SqliteDocumentsOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  readonly isCheckedElsewhere?: SqliteOptions['isCheckedElsewhere'];
  /** Tells `now()`, and paces the attempts at a busy file. */
  readonly clock?: Clock;
  /** How long attempts go on, without blocking, before a call is refused as retryable. Default 5,000. */
  readonly patienceMs?: number;
  /** Called after each commit of `write` and `remove`. Where it throws, the answer is lost and the effect is not. */
  readonly afterCommitForTests?: () => void;
}

/** What one transaction reads or changes before others have their turn. */
const CHUNK = 1000;
/** Holds the pages that one transaction changes, most of them of indexes: else they are read again, and written twice. */
const CACHE_KIB = 20 * 1024;
/** Bodies are parsed too: of a page of twenty the half, so that nobody waits for longer than a millisecond. */
const BODIES = 10;

/**
 * Documents in a SQLite file, which any number of processes and threads of one machine may have open.
 * A commit survives the death of the process; a power cut may take the last ones (docs/reference/documents.md).
 * @throws {PermanentError} where the file cannot be used.
 */
export function openSqliteDocuments(path: string, options: SqliteDocumentsOptions = {}): Documents {
  const {
    access,
    isCheckedElsewhere,
    clock = systemClock,
    patienceMs = 5000,
    afterCommitForTests: afterCommit,
  } = options;
  const connection = new SqliteConnection(path, SCHEMA, { access, isCheckedElsewhere, clock, patienceMs });
  const rows: Rows = (sql, ...values) => connection.rows(sql, ...values);
  const run: Run = (sql, ...values) => connection.run(sql, ...values);
  rows(`PRAGMA cache_size = -${CACHE_KIB}`);
  const collectionOf = knownCollections(rows);

  /** Reads one state of the file; `absent` is the answer where there is no such collection. */
  async function read<T>(collection: string, absent: T, work: (known: Collection) => T): Promise<T> {
    checkCollection(collection);
    return await connection.snapshot(() => {
      const known = collectionOf(collection);
      return known ? work(known) : absent;
    });
  }

  /** So many ids at a time; others have their turn in between. */
  async function* readInChunks<T>(
    collection: string,
    ids: readonly string[],
    atOnce: number,
    readSome: (known: Collection, chunk: string) => readonly T[],
  ): AsyncGenerator<readonly T[]> {
    for (const [at, chunk] of [...chunks([...new Set(ids)].filter(isId), atOnce)].entries()) {
      if (at > 0) await nextTurn();
      yield await read(collection, [], (known) => readSome(known, JSON.stringify(chunk)));
    }
  }

  /** Applies changes ordered by id, so that neighbours in the file are written together; answers in their own order. */
  async function change<Change extends { readonly id: string }>(
    collection: string,
    changes: readonly Change[],
    apply: (change: Change, known: Collection) => Outcome,
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]> {
    checkCollection(collection);
    const outcomes = new Map<string, Outcome>();
    const sorted = changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const chunk of chunks(sorted, CHUNK)) {
      if (outcomes.size > 0) await nextTurn();
      const applied = await connection.change(() => {
        if (signal?.aborted) throw new RetryableError('Nobody waits for this call any more.');
        const known = collectionOf(collection);
        if (!known) throw new PermanentError(`There is no collection ${collection}.`);
        return chunk.map((one) => [one.id, apply(one, known)] as const);
      });
      afterCommit?.();
      for (const [id, outcome] of applied) outcomes.set(id, outcome);
    }
    return changes.map(({ id }) => outcomes.get(id) as Outcome);
  }

  function versionOf({ versions }: CollectionTable, id: string): Version | null {
    const [row] = rows(versions, JSON.stringify([id]));
    return row ? String(row[1]) : null;
  }

  return {
    declare: async (spec) => {
      checkSpec(spec);
      await connection.change((database) => declareCollection(database, rows, spec));
    },

    get: async <Body>(collection: string, ids: readonly string[], { keys }: ReadOptions = {}) => {
      const found = new Map<string, Stored<Body>>();
      for await (const some of readInChunks(collection, ids, BODIES, ({ table }, chunk) => {
        const { byIds, storedOf } = table.reading(keys);
        return rows(byIds, chunk).map((row) => storedOf(row) as Stored<Body>);
      })) {
        for (const stored of some) found.set(stored.id, stored);
      }
      return found;
    },

    // Durable or not, it is the same: a file has no replicas.
    versions: async (collection, ids) => {
      const found = new Map<string, Version>();
      const batches = readInChunks(collection, ids, CHUNK, ({ table }, chunk) => rows(table.versions, chunk));
      for await (const batch of batches)
        for (const [id, version] of batch) found.set(String(id), String(version));
      return found;
    },

    write: async <Body>(
      collection: string,
      writes: readonly Write<Body>[],
      { signal }: WriteOptions = {},
    ) => {
      checkWrites(writes);
      const apply = (write: Write<Body>, { keys, table }: Collection): Outcome => {
        checkOnly(write, keys);
        const isWritten = table.write(write, run);
        // The write's own version is already there where its answer was lost and the caller repeats it.
        return isWritten || versionOf(table, write.id) === write.version ? 'done' : 'conflict';
      };
      return await change(collection, writes, apply, signal);
    },

    remove: async (collection, removals) => {
      checkIds(removals);
      return await change(collection, removals, (removal, { table }) => {
        const isRemoved = table.remove(removal, run);
        return isRemoved || versionOf(table, removal.id) === null ? 'done' : 'conflict';
      });
    },

    find: async <Body>(collection: string, query: Query) => {
      const checked = checkedFind(query);
      const { limit, keys } = query;
      return await read<Page<Body>>(collection, { documents: [], next: null }, (known) => {
        indexesForQuery(collection, known.indexes, checked);
        const { text, values } = pageQuery(tableOf(collection), checked);
        // One more than asked for tells whether there is a next page.
        const ids = rows(text, ...values, limit + 1).map(([id]) => String(id));
        const page = ids.slice(0, limit);
        // Bodies are fetched last, so that finding and sorting touch the index alone.
        const { byIds, storedOf } = known.table.reading(keys);
        const found = new Map(
          rows(byIds, JSON.stringify(page)).map((row) => [String(row[0]), storedOf(row) as Stored<Body>]),
        );
        return {
          documents: page.flatMap((id) => found.get(id) ?? []),
          next: ids.length > limit ? (page.at(-1) ?? null) : null,
        };
      });
    },

    count: async (collection, query) => {
      const checked = checkedCount(query);
      return await read(collection, [], (known) => {
        indexesForQuery(collection, known.indexes, checked);
        const { text, values } = countQuery(tableOf(collection), checked);
        return rows(text, ...values)
          .map(([count, ...group]) => ({ values: group.map(scalarOf), count: Number(count) }))
          .filter(({ count }) => count > 0);
      });
    },

    scan: async function* <Body>(collection: string, { keys }: ReadOptions = {}) {
      const readBehind = async (after: string) =>
        await read<readonly Stored<Body>[]>(collection, [], ({ table }) => {
          const { behind, storedOf } = table.reading(keys);
          return rows(behind, after).map((row) => storedOf(row) as Stored<Body>);
        });
      for await (const batch of batchesAfter(SCANNED, readBehind)) {
        yield batch;
        await nextTurn();
      }
    },

    collections: async () => await connection.attempt(() => rows(NAMES).map(([name]) => String(name))),

    drop: async (collection) => {
      checkCollection(collection);
      await connection.change((database) => dropCollection(database, collection));
    },

    now: async () => await connection.attempt(() => clock.now()),

    [Symbol.asyncDispose]: async () => connection.close(),
  };
}
