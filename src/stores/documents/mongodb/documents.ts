import type { Collection } from 'mongodb';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Clock, systemClock } from '../../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../../platform/errors.ts';
import { checkCollection, checkIds, checkLimit, checkPath, checkSpec, checkWrites, isId } from '../checks.ts';
import { conditionsOf, orderOf, type CheckedCondition, type OrderedPath } from '../conditions.ts';
import { requireIndex } from '../covering.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type {
  CollectionSpec,
  CountQuery,
  Documents,
  Group,
  Outcome,
  Page,
  Query,
  Removal,
  Scalar,
  Stored,
  Version,
  VersionsOptions,
  Write,
  WriteOptions,
} from '../port.ts';
import { MongoCollections, type DeclaredIndex } from './collections.ts';
import { MongoConnection } from './connection.ts';
import { hintOf, ID_INDEX } from './hint.ts';
import { countPipeline, groupValues, pageQueries, type PageQuery } from './queries.ts';
import { indexedAt, READ, storedOf, type StoredDocument } from './stored.ts';
import { Pending, portions, removalChange, versionsOf, writeChange, type Change } from './writing.ts';

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
 * It connects when it is first used. The port's guarantees rest on what connection.ts fixes and writing.ts says.
 * @throws {PermanentError} where the URL is none.
 */
export function openMongoDocuments(url: string, options: MongoDocumentsOptions = {}): Documents {
  return new MongoDocuments(url, options);
}

/** Ids in one read. */
const CHUNK = 1000;
const SCANNED = 200;
/** Bodies that are parsed before others have their turn. */
const PARSED = 10;

type Read = Pick<StoredDocument, '_id' | 'version' | 'body'>;

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

  async get<Body>(collection: string, ids: readonly string[]): Promise<Map<string, Stored<Body>>> {
    checkCollection(collection);
    const found = new Map<string, Stored<Body>>();
    for (const chunk of chunks(ids)) {
      const read = await this.#connection.attemptOn(collection, (it) =>
        it.find<Read>({ _id: { $in: chunk } }, { projection: READ, batchSize: CHUNK }).toArray(),
      );
      for (const stored of await parsed<Body>(read)) found.set(stored.id, stored);
    }
    return found;
  }

  async versions(
    collection: string,
    ids: readonly string[],
    options?: VersionsOptions,
  ): Promise<Map<string, Version>> {
    checkCollection(collection);
    const found = new Map<string, Version>();
    for (const chunk of chunks(ids)) {
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
    return await this.#change(collection, writes, (write) => writeChange(collection, write), signal);
  }

  async remove(collection: string, removals: readonly Removal[]): Promise<readonly Outcome[]> {
    checkIds(removals);
    return await this.#change(collection, removals, removalChange);
  }

  async #change<Item extends { readonly id: string }>(
    collection: string,
    items: readonly Item[],
    changeOf: (item: Item) => Change,
    signal?: AbortSignal,
  ): Promise<readonly Outcome[]> {
    checkCollection(collection);
    // MongoDB would make the collection by itself, without its indexes.
    if ((await this.#collections.indexesOf(collection)) === null) {
      throw new PermanentError(`There is no collection ${collection}.`);
    }
    const outcomes = new Map<string, Outcome>();
    for (const changes of portions(items, changeOf)) {
      const pending = new Pending(changes);
      await this.#connection.attemptOn(collection, (it) => pending.send(it), signal);
      for (const [id, outcome] of pending.outcomes) outcomes.set(id, outcome);
    }
    return items.map(({ id }) => outcomes.get(id) as Outcome);
  }

  async find<Body>(collection: string, { where, order, limit, after, durable }: Query): Promise<Page<Body>> {
    checkLimit(limit);
    const conditions = conditionsOf(where);
    const ordered = orderOf(order);
    const place = after === undefined ? null : decodeCursor(order, after);
    const queries = pageQueries(conditions, ordered, place);
    const paths = ordered.map(({ path }) => path);
    // One more than asked for tells whether there is a next page.
    const read = await this.#served(collection, conditions, paths, ordered, async (it, hint) => {
      const documents: Read[] = [];
      for (const query of queries) {
        if (documents.length > limit) break;
        const left = limit + 1 - documents.length;
        documents.push(...(await pageOf(it, query, { hint, limit: left, durable })));
      }
      return documents;
    });
    const documents = await parsed<Body>((read ?? []).slice(0, limit));
    const last = documents.at(-1);
    const more = read !== null && read.length > limit && last !== undefined;
    const placeOf = ({ id, body }: Stored<Body>) => ({
      id,
      values: paths.map((path) => indexedAt(body, path)),
    });
    return { documents, next: more ? encodeCursor(order, placeOf(last)) : null };
  }

  async count(collection: string, { where, by }: CountQuery): Promise<readonly Group[]> {
    by.forEach(checkPath);
    const conditions = conditionsOf(where);
    const pipeline = countPipeline(conditions, by);
    const groups = await this.#served(collection, conditions, by, [], (it, hint) =>
      it.aggregate<CountedGroup>(pipeline, { hint, allowDiskUse: true }).toArray(),
    );
    return (groups ?? []).map(({ _id, count }) => ({ values: groupValues(_id, by), count }));
  }

  /**
   * Runs a query through a declared index, named as a hint: the plan is the one that was declared for, and an index
   * that is gone is an error. Null where there is no such collection.
   * @throws {PermanentError} where no index serves it.
   */
  async #served<T>(
    collection: string,
    conditions: readonly CheckedCondition[],
    paths: readonly string[],
    order: readonly OrderedPath[],
    query: (collection: Collection<StoredDocument>, hint: string) => Promise<T>,
  ): Promise<T | null> {
    checkCollection(collection);
    const run = async (indexes: readonly DeclaredIndex[]): Promise<T> => {
      requireIndex(
        collection,
        indexes.map((index) => index.paths),
        conditions,
        paths,
      );
      const hint = hintOf(indexes, conditions, paths, order);
      return await this.#connection.attemptOn(collection, (it) => query(it, hint));
    };
    const believed = await this.#collections.indexesOf(collection);
    if (believed === null) return null;
    try {
      return await run(believed);
    } catch (thrown) {
      if (thrown instanceof RetryableError) throw thrown;
      // Another process may have declared the index, or dropped the collection, since the list was read.
      const indexes = await this.#collections.refresh(collection);
      if (JSON.stringify(indexes) === JSON.stringify(believed)) throw thrown;
      return indexes === null ? null : await run(indexes);
    }
  }

  async *scan<Body>(collection: string): AsyncGenerator<readonly Stored<Body>[]> {
    checkCollection(collection);
    // A query for each batch: a cursor would be lost where the reader pauses for long, or the primary changes.
    let last: string | undefined = '';
    while (last !== undefined) {
      const query: PageQuery = { filter: { _id: { $gt: last } }, sort: { _id: 1 } };
      const read = await this.#connection.attemptOn(collection, (it) =>
        pageOf(it, query, { hint: ID_INDEX, limit: SCANNED }),
      );
      if (read.length > 0) yield await parsed<Body>(read);
      last = read.length < SCANNED ? undefined : read.at(-1)?._id;
    }
  }

  async collections(): Promise<readonly string[]> {
    return await this.#collections.names();
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

async function pageOf(
  collection: Collection<StoredDocument>,
  { filter, sort }: PageQuery,
  {
    hint,
    limit,
    durable = false,
  }: { readonly hint: string; readonly limit: number; readonly durable?: boolean | undefined },
): Promise<readonly Read[]> {
  const options = { projection: READ, sort, limit, batchSize: limit, hint, allowDiskUse: true };
  const concern = durable ? { readConcern: 'majority' as const } : {};
  return await collection.find<Read>(filter, { ...options, ...concern }).toArray();
}

function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  const known = [...new Set(ids)].filter(isId);
  return Array.from({ length: Math.ceil(known.length / CHUNK) }, (_, at) =>
    known.slice(at * CHUNK, (at + 1) * CHUNK),
  );
}

/** Parses some bodies at a time, so that a large read holds up nobody. */
async function parsed<Body>(read: readonly Read[]): Promise<readonly Stored<Body>[]> {
  const documents: Stored<Body>[] = [];
  for (const one of read) {
    if (documents.length > 0 && documents.length % PARSED === 0) await nextTurn();
    documents.push(storedOf<Body>(one));
  }
  return documents;
}
