import type { Collection } from 'mongodb';

import { batchesAfter, chunks } from '../../../platform/chunks.ts';
import { type Clock, systemClock } from '../../../platform/time/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { checkIds, checkOnly, checkWrites } from '../checks.ts';
import { checkCollection, checkSpec } from '../names.ts';
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
  Scalar,
  Stored,
  Version,
  VersionsOptions,
  Write,
  WriteOptions,
} from '../port.ts';
import { checkedCount, checkedFind, type CheckedQuery } from '../check-query.ts';
import { indexesForQuery } from '../indexes-for-query.ts';
import { PendingWrites, versionsOf } from './bulk-write.ts';
import { type Change, removalChange, writeChange } from './guarded-writes.ts';
import { MongoCollections } from './collections.ts';
import { MongoConnection } from './connection.ts';
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

export interface MongoDocumentsOptions {
  /** Paces the attempts at a server that is away or busy. */
  readonly clock?: Clock;
  /**
   * How long attempts go on before a call is refused as retryable, in milliseconds; an attempt that gets no answer
   * ends after twice that. Default 5,000.
   */
  readonly patienceMs?: number;
}

/**
 * Documents in a MongoDB database, stand-alone, replica set or sharded (by `_id`), shared by any number of processes.
 * It connects when it is first used. The port's guarantees rest on what connection-settings.ts fixes and guarded-writes.ts says.
 * @throws {PermanentError} where the URL is none.
 */
export function openMongoDocuments(url: string, options: MongoDocumentsOptions = {}): Documents {
  return new MongoDocuments(url, options);
}

const SCANNED = 200;
/** What one bulk write carries at most. Where it has more bytes than MongoDB takes, the driver cuts it. */
const WRITTEN = 500;

/** Open until it is disposed of. Its only state is what it believes of indexes, for some seconds. */
class MongoDocuments implements Documents {
  readonly #connection: MongoConnection;
  readonly #collections: MongoCollections;

  constructor(url: string, { clock = systemClock, patienceMs = 5000 }: MongoDocumentsOptions) {
    this.#connection = new MongoConnection(url, { clock, patienceMs });
    this.#collections = new MongoCollections(this.#connection, clock);
  }

  async declare(spec: CollectionSpec): Promise<void> {
    checkSpec(spec);
    await this.#collections.declare(spec);
  }

  async get<Body>(
    collection: string,
    ids: readonly string[],
    { keys }: ReadOptions = {},
  ): Promise<Map<string, Stored<Body>>> {
    checkCollection(collection);
    const found = new Map<string, Stored<Body>>();
    const parts = await this.#parts(collection, keys);
    const options = { projection: parts.projection, batchSize: CHUNK, raw: true };
    for (const chunk of chunksOfIds(ids)) {
      const read = await this.#connection.attemptOn(collection, (it) =>
        it.find<DocumentBytes>({ _id: { $in: [...chunk] } }, options).toArray(),
      );
      for (const stored of await parsed<Body>(read, parts)) found.set(stored.id, stored);
    }
    return found;
  }

  async #parts(collection: string, keys: readonly string[] | undefined): Promise<Parts> {
    return partsFor(keys, keys && (await this.#collections.known(collection))?.layout);
  }

  async versions(
    collection: string,
    ids: readonly string[],
    options?: VersionsOptions,
  ): Promise<Map<string, Version>> {
    checkCollection(collection);
    const found = new Map<string, Version>();
    for (const chunk of chunksOfIds(ids)) {
      const read = await this.#connection.attemptOn(collection, (it) => versionsOf(it, chunk, options));
      for (const [id, version] of read) found.set(id, version);
    }
    return found;
  }

  async write<Body>(
    collection: string,
    writes: readonly Write<Body>[],
    { signal }: WriteOptions = {},
  ): Promise<readonly Outcome[]> {
    checkWrites(writes);
    const changeOf = (write: Write<unknown>, layout: Layout): Change => {
      checkOnly(write, layout.keys);
      return writeChange(collection, write, layout);
    };
    return await this.#change(collection, writes, changeOf, signal);
  }

  async remove(collection: string, removals: readonly Removal[]): Promise<readonly Outcome[]> {
    checkIds(removals);
    return await this.#change(collection, removals, removalChange);
  }

  async #change<Item extends { readonly id: string }>(
    collection: string,
    items: readonly Item[],
    changeOf: (item: Item, layout: Layout) => Change,
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]> {
    checkCollection(collection);
    const known = await this.#collections.known(collection);
    // MongoDB would make the collection by itself, without its indexes.
    if (known === null) throw new PermanentError(`There is no collection ${collection}.`);
    const outcomes = new Map<string, Outcome>();
    // Sorted: bulk writes that overlap then lock their documents in one order, and none waits for another in a circle.
    const sorted = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const chunk of chunks(sorted, WRITTEN)) {
      const pending = new PendingWrites(chunk.map((item) => changeOf(item, known.layout)));
      await this.#connection.attemptOn(collection, (it) => pending.send(it), signal);
      for (const [id, outcome] of pending.outcomes) outcomes.set(id, outcome);
    }
    return items.map(({ id }) => outcomes.get(id) as Outcome);
  }

  async find<Body>(collection: string, query: Query): Promise<Page<Body>> {
    const checked = checkedFind(query);
    const { limit, durable, keys } = query;
    const parts = await this.#parts(collection, keys);
    // One more than asked for tells whether there is a next page.
    const page = await this.#served(collection, checked, (it, hint) =>
      readPage(it, pageQuery(checked), { hint, limit: limit + 1, durable, projection: parts.projection }),
    );
    const read = page ?? [];
    const documents = await parsed<Body>(read.slice(0, limit), parts);
    return { documents, next: read.length > limit ? (documents.at(-1)?.id ?? null) : null };
  }

  async count(collection: string, query: CountQuery): Promise<readonly Group[]> {
    const checked = checkedCount(query);
    const groups = await this.#served(collection, checked, (it, hint) =>
      it.aggregate<CountedGroup>(countPipeline(checked), { hint, allowDiskUse: true }).toArray(),
    );
    return (groups ?? []).map(({ _id, count }) => ({ values: groupValues(_id, query.by), count }));
  }

  /**
   * Runs a query through a declared index, named as a hint: the plan is the one that was declared for, and an index
   * that is gone is an error. Null where there is no such collection.
   * @throws {PermanentError} where no index serves it.
   */
  async #served<T>(
    collection: string,
    checked: CheckedQuery,
    query: (collection: Collection<StoredDocument>, hint: string) => Promise<T>,
  ): Promise<T | null> {
    checkCollection(collection);
    const run = async ({ indexes }: FoundCollection): Promise<T> => {
      const hint = hintOf(indexesForQuery(collection, indexes, checked), checked.order);
      return await this.#connection.attemptOn(collection, (it) => query(it, hint));
    };
    const believed = await this.#collections.known(collection);
    if (believed === null) return null;
    try {
      return await run(believed);
    } catch (thrown) {
      if (thrown instanceof RetryableError) throw thrown;
      // Another process may have declared the index, or dropped the collection, since the list was read.
      const known = await this.#collections.refresh(collection);
      if (JSON.stringify(known?.indexes) === JSON.stringify(believed.indexes)) throw thrown;
      return known === null ? null : await run(known);
    }
  }

  async *scan<Body>(collection: string, { keys }: ReadOptions = {}): AsyncGenerator<readonly Stored<Body>[]> {
    checkCollection(collection);
    // A query for each batch: a cursor would be lost where the reader pauses for long, or the primary changes.
    const parts = await this.#parts(collection, keys);
    yield* batchesAfter(SCANNED, async (after) => {
      const query: PageQuery = { filter: { _id: { $gt: after } }, sort: { _id: 1 } };
      const read = await this.#connection.attemptOn(collection, (it) =>
        readPage(it, query, { hint: ID_INDEX, limit: SCANNED, projection: parts.projection }),
      );
      return await parsed<Body>(read, parts);
    });
  }

  async collections(): Promise<readonly string[]> {
    return await this.#collections.names();
  }

  async origins(): Promise<ReadonlyMap<string, string>> {
    return await this.#collections.origins();
  }

  async drop(collection: string): Promise<void> {
    checkCollection(collection);
    await this.#collections.drop(collection);
  }

  /** The clock of the primary; behind mongos, of the mongos that the client is connected to. */
  async now(): Promise<number> {
    const answer = await this.#connection.attempt((db) => db.command({ hello: 1 }));
    const { localTime } = answer as { readonly localTime?: unknown };
    // A date; DocumentDB gives its milliseconds.
    const time = Number(localTime ?? Number.NaN);
    if (!Number.isFinite(time)) throw new PermanentError('The server does not tell its time.');
    return time;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }
}

interface CountedGroup {
  readonly _id: Readonly<Record<string, Scalar>> | null;
  readonly count: number;
}
