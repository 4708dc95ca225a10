import type { Collection } from 'mongodb';

import { batchesAfter, chunks } from '../../../platform/chunks.ts';
import { type Clock, systemClock } from '../../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { checkIds, checkOnly, checkWrites } from '../checks.ts';
import { checkCollection, checkSpec } from '../check-names.ts';
import type {
  Documents,
  Outcome,
  Query,
  ReadOptions,
  Scalar,
  Stored,
  Version,
  Write,
  WriteOptions,
} from '../port.ts';
import { checkedCount, checkedFind, type CheckedQuery } from '../check-query.ts';
import { indexesForQuery } from '../require-index-for-query.ts';
import { createPendingWrites, versionsOf } from './bulk-write.ts';
import { type Change, removalChange, writeChange } from './guarded-writes.ts';
import { mongoCollections } from './collections.ts';
import { connectMongo } from './connect-and-retry.ts';
import type { FoundCollection, Layout } from './found-indexes.ts';
import { countPipeline, groupValues, hintOf, ID_INDEX, pageQuery, type PageQuery } from './queries.ts';
import {
  CHUNK,
  chunksOfIds,
  parsed,
  partsFor,
  type Parts,
  type DocumentBytes,
  readPage,
} from './read-documents.ts';
import type { StoredDocument } from './stored-document.ts';

interface MongoDocumentsOptions {
  /** Paces the attempts at a server that is away or busy. */
  readonly clock?: Clock;
  /**
   * How long attempts go on before a call is refused as retryable, in milliseconds; an attempt that gets no answer
   * ends after twice that. Default 5,000.
   */
  readonly patienceMs?: number;
}

const SCANNED = 200;
/** What one bulk write carries at most. Where it has more bytes than MongoDB takes, the driver cuts it. */
const WRITTEN = 500;

/**
 * Documents in a MongoDB database, stand-alone, replica set or sharded (by `_id`), shared by any number of processes.
 * It connects when it is first used; its only state is what it believes of indexes, for some seconds. The port's guarantees
 * rest on what connection-settings.ts fixes and guarded-writes.ts says.
 * @throws {PermanentError} where the URL is none.
 */
export function openMongoDocuments(url: string, options: MongoDocumentsOptions = {}): Documents {
  const { clock = systemClock, patienceMs = 5000 } = options;
  const connection = connectMongo(url, clock, patienceMs);
  const collections = mongoCollections(connection, clock);

  async function partsOf(collection: string, keys: readonly string[] | undefined): Promise<Parts> {
    return partsFor(keys, keys && (await collections.known(collection))?.layout);
  }

  async function change<Item extends { readonly id: string }>(
    collection: string,
    items: readonly Item[],
    changeOf: (item: Item, layout: Layout) => Change,
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]> {
    checkCollection(collection);
    const known = await collections.known(collection);
    // MongoDB would make the collection by itself, without its indexes.
    if (known === null) throw new PermanentError(`There is no collection ${collection}.`);
    const outcomes = new Map<string, Outcome>();
    // Sorted: bulk writes that overlap then lock their documents in one order, and none waits for another in a circle.
    const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const chunk of chunks(sorted, WRITTEN)) {
      const pending = createPendingWrites(chunk.map((item) => changeOf(item, known.layout)));
      await connection.attemptOn(collection, (it) => pending.send(it), signal);
      for (const [id, outcome] of pending.outcomes) outcomes.set(id, outcome);
    }
    return items.map(({ id }) => outcomes.get(id) as Outcome);
  }

  /**
   * Runs a query through a declared index, named as a hint: the plan is the one that was declared for, and an index
   * that is gone is an error. Null where there is no such collection.
   * @throws {PermanentError} where no index serves it.
   */
  async function served<T>(
    collection: string,
    checked: CheckedQuery,
    query: (collection: Collection<StoredDocument>, hint: string) => Promise<T>,
  ): Promise<T | null> {
    checkCollection(collection);
    const run = async ({ indexes }: FoundCollection): Promise<T> => {
      const hint = hintOf(indexesForQuery(collection, indexes, checked), checked.order);
      return await connection.attemptOn(collection, (it) => query(it, hint));
    };
    const believed = await collections.known(collection);
    if (believed === null) return null;
    try {
      return await run(believed);
    } catch (thrown) {
      if (thrown instanceof RetryableError) throw thrown;
      // Another process may have declared the index, or dropped the collection, since the list was read.
      const known = await collections.refresh(collection);
      if (JSON.stringify(known?.indexes) === JSON.stringify(believed.indexes)) throw thrown;
      return known === null ? null : await run(known);
    }
  }

  return {
    declare: async (spec) => {
      checkSpec(spec);
      await collections.declare(spec);
    },

    get: async <Body>(collection: string, ids: readonly string[], { keys }: ReadOptions = {}) => {
      checkCollection(collection);
      const found = new Map<string, Stored<Body>>();
      const parts = await partsOf(collection, keys);
      const asked = { projection: parts.projection, batchSize: CHUNK, raw: true };
      for (const chunk of chunksOfIds(ids)) {
        const read = await connection.attemptOn(collection, (it) =>
          it.find<DocumentBytes>({ _id: { $in: [...chunk] } }, asked).toArray(),
        );
        for (const stored of await parsed<Body>(read, parts)) found.set(stored.id, stored);
      }
      return found;
    },

    versions: async (collection, ids, asked) => {
      checkCollection(collection);
      const found = new Map<string, Version>();
      for (const chunk of chunksOfIds(ids)) {
        const read = await connection.attemptOn(collection, (it) => versionsOf(it, chunk, asked));
        for (const [id, version] of read) found.set(id, version);
      }
      return found;
    },

    write: async <Body>(
      collection: string,
      writes: readonly Write<Body>[],
      { signal }: WriteOptions = {},
    ) => {
      checkWrites(writes);
      const changeOf = (write: Write<unknown>, layout: Layout): Change => {
        checkOnly(write, layout.keys);
        return writeChange(collection, write, layout);
      };
      return await change(collection, writes, changeOf, signal);
    },

    remove: async (collection, removals) => {
      checkIds(removals);
      return await change(collection, removals, removalChange);
    },

    find: async <Body>(collection: string, query: Query) => {
      const checked = checkedFind(query);
      const { limit, durable, keys } = query;
      const parts = await partsOf(collection, keys);
      // One more than asked for tells whether there is a next page.
      const page = await served(collection, checked, (it, hint) =>
        readPage(it, pageQuery(checked), { hint, limit: limit + 1, durable, projection: parts.projection }),
      );
      const read = page ?? [];
      const documents = await parsed<Body>(read.slice(0, limit), parts);
      return { documents, next: read.length > limit ? (documents.at(-1)?.id ?? null) : null };
    },

    count: async (collection, query) => {
      const checked = checkedCount(query);
      const groups = await served(collection, checked, (it, hint) =>
        it.aggregate<CountedGroup>(countPipeline(checked), { hint, allowDiskUse: true }).toArray(),
      );
      return (groups ?? []).map(({ _id, count }) => ({ values: groupValues(_id, query.by), count }));
    },

    scan: async function* <Body>(collection: string, { keys }: ReadOptions = {}) {
      checkCollection(collection);
      // A query for each batch: a cursor would be lost where the reader pauses for long, or the primary changes.
      const parts = await partsOf(collection, keys);
      yield* batchesAfter(SCANNED, async (after) => {
        const query: PageQuery = { filter: { _id: { $gt: after } }, sort: { _id: 1 } };
        const read = await connection.attemptOn(collection, (it) =>
          readPage(it, query, { hint: ID_INDEX, limit: SCANNED, projection: parts.projection }),
        );
        return await parsed<Body>(read, parts);
      });
    },

    collections: collections.names,
    origins: collections.origins,

    drop: async (collection) => {
      checkCollection(collection);
      await collections.drop(collection);
    },

    /** The clock of the primary; behind mongos, of the mongos that the client is connected to. */
    now: async () => {
      const answer = await connection.attempt((db) => db.command({ hello: 1 }));
      const { localTime } = answer as { readonly localTime?: unknown };
      // A date; DocumentDB gives its milliseconds.
      const time = Number(localTime ?? Number.NaN);
      if (!Number.isFinite(time)) throw new PermanentError('The server does not tell its time.');
      return time;
    },

    [Symbol.asyncDispose]: () => connection.close(),
  };
}

interface CountedGroup {
  readonly _id: Readonly<Record<string, Scalar>> | null;
  readonly count: number;
}
