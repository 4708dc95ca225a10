import { randomUUID } from 'node:crypto';

import { PermanentError, RetryableError } from '../../platform/errors.ts';

/**
 * The documents store: versioned JSON documents in named collections with declared indexes.
 *
 * Guarantees that hold with any number of clients and a connection that may be cut at any moment:
 * - Reads see every write that was acknowledged before they began (no stale replicas).
 * - A write or removal is atomic for its document and is applied only where the document still has the version that
 *   it names. There is no atomicity over several documents and no order among them.
 * - What an `await` has acknowledged is durable as far as the store promises it (docs/reference/documents.md).
 *
 * Adapters translate their vendor's errors once: `RetryableError` where a later attempt may succeed, else
 * `PermanentError`. Every method may throw either. After a `RetryableError` of `write` or `remove`, any part of it may
 * have been applied; calling again with the same arguments is safe and tells the truth (see `write`).
 */
export interface Documents extends AsyncDisposable {
  /**
   * Creates the collection and its indexes where they do not exist. Idempotent, safe from several processes at once.
   * @throws {PermanentError} where an index is new that begins with a key which the collection has in the text of bodies; a store
   * that cannot tell does not find those.
   */
  declare(collection: CollectionSpec): Promise<void>;

  /**
   * The documents of these ids, each once; a missing document is absent from the map. No bound on the number of ids. With
   * `keys`, their bodies have these keys alone. Keys that indexes begin with are read quicker so.
   */
  get<Body>(
    collection: string,
    ids: readonly string[],
    options?: ReadOptions,
  ): Promise<Map<string, Stored<Body>>>;

  /**
   * The versions alone of these ids; a missing document is absent from the map. With `durable`, as no failover can take
   * them back: a replicated store answers what a majority of its members holds, which may be a moment older than what
   * `get` shows. A caller that goes on because of what it read, and writes nothing, asks for this: no guard tells it
   * later that what it read was rolled back.
   */
  versions(
    collection: string,
    ids: readonly string[],
    options?: VersionsOptions,
  ): Promise<Map<string, Version>>;

  /**
   * Writes each document where it still has the version that the write `read` (null: where it does not exist).
   * Ids are unique in one call. Returns the outcomes in the order of the writes.
   *
   * Idempotent by token: where the document's version is already the write's own `version`, the outcome is `done`.
   * So a caller (or the adapter itself) that lost the answer repeats the same writes and learns what happened to them.
   * One case cannot be told: a creation repeated after somebody else has removed the document creates it again.
   *
   * Where the store refuses single documents, the error names them (`refusedIds`); the others may have been written.
   * `signal` ends repetitions by the adapter itself: after it is aborted, nothing is sent that was not on its way.
   */
  write<Body>(
    collection: string,
    writes: readonly Write<Body>[],
    options?: WriteOptions,
  ): Promise<readonly Outcome[]>;

  /**
   * Removes each document where it still has the version given. A document that does not exist is `done`: the wish is
   * fulfilled. Returns the outcomes in the order of the removals.
   */
  remove(collection: string, removals: readonly Removal[]): Promise<readonly Outcome[]>;

  /**
   * Documents that meet every condition, in the order asked for and then by id ascending: a total order.
   * Null and missing values are equal to each other and come first in ascending order, then numbers, text, booleans; a
   * range matches values of its own type only. `keys` as for `get`.
   * @throws {PermanentError} where no declared index begins with the paths compared by equality or `in`, in any order,
   * and goes on with the paths of ranges and of the order.
   */
  find<Body>(collection: string, query: Query): Promise<Page<Body>>;

  /**
   * How many documents meet the conditions, for each combination of values of `by` (one group, with an empty `values`,
   * where `by` is empty and something matches). Groups come in no particular order.
   * @throws {PermanentError} as for `find`.
   */
  count(collection: string, query: CountQuery): Promise<readonly Group[]>;

  /**
   * Every document of a collection, in batches, by id ascending (by UTF-8 bytes). Not a snapshot: a document written
   * meanwhile is seen as before or as after, and each document that was there throughout is seen exactly once. `keys` as for `get`.
   */
  scan<Body>(collection: string, options?: ReadOptions): AsyncIterable<readonly Stored<Body>[]>;

  /** The names of all collections, ascending. */
  collections(): Promise<readonly string[]>;

  /**
   * What tells each collection, by its name, from one that was made again under that name, as the store's own tools do where
   * they restore a copy. Absent where a copy can only be of one moment; a store that cannot tell leaves collections out.
   */
  origins?(): Promise<ReadonlyMap<string, string>>;

  /** Removes a collection with its documents and indexes. Idempotent. */
  drop(collection: string): Promise<void>;

  /** The store's clock, Unix milliseconds: the one clock that all its clients share. */
  now(): Promise<number>;
}

/**
 * The token of the write that made a document what it is: no other write of this document ever has it. It is random, or the
 * name of a process with a number that this process gives once (`src/access/quota/count-batch.ts`). Never a number alone,
 * which repeats after a removal and cannot tell a writer its own success.
 */
export type Version = string;

/** A random token for one write. */
export function newVersion(): Version {
  return randomUUID();
}

export interface CollectionSpec {
  /** `[a-z][a-z0-9_.@-]*`, at most 64 characters. */
  readonly name: string;
  /**
   * A key of the body that an index begins with is kept as a value of its own, which people and their tools can look into with
   * the store's own means; the rest of a body is one text. So a later release may add indexes over the same keys; one over
   * another key needs a new collection.
   */
  readonly indexes: readonly Index[];
}

/**
 * The paths of an index, in order; `-` before a path means descending. A path names a field of the body by its keys,
 * joined with dots (`view.kind`), none of them through an array. A key is a letter, then letters, digits and _, as is every
 * key of an object under the first one, at most 20 levels deep: a store may refuse a document with others, or with an object
 * or a list where a path leads, or a list on the way there. Text there that is not well-formed may be read back with U+FFFD in the place of what is not.
 */
export type Index = readonly string[];

export interface Stored<Body> {
  readonly id: string;
  readonly version: Version;
  readonly body: Body;
}

export interface Write<Body> {
  /** 1 to 512 bytes of UTF-8. */
  readonly id: string;
  /** The version that was read; null where the document was absent. */
  readonly read: Version | null;
  /** The version that this write makes, kept for every repetition of this very write. */
  readonly version: Version;
  /** A JSON object. */
  readonly body: Body;
  /**
   * The one key that is written, or taken out where the body does not have it: what else the document has stays as it is, so
   * nobody has to have read it. An index begins with it. A new document has its whole body.
   */
  readonly only?: string;
  /**
   * Keys of which the body has what was read: they may be left as they are, with the indexes that begin with them. Where that
   * is not so, either value may stand.
   */
  readonly unchanged?: readonly string[];
}

export interface ReadOptions {
  /** The keys that each body is to have, as far as it has them. Absent: all of them. In any order. */
  readonly keys?: readonly string[];
}

export interface VersionsOptions {
  readonly durable?: boolean;
}

export interface WriteOptions {
  readonly signal?: AbortSignal;
}

/** The store refuses these documents, and will: they are too large, say. */
export class RefusedForGood extends PermanentError {
  readonly ids: readonly string[];

  constructor(message: string, ids: readonly string[]) {
    super(message);
    this.ids = ids;
  }
}

/** The store refused these documents for a reason that the adapter does not know: it may pass. */
export class RefusedForNow extends RetryableError {
  readonly ids: readonly string[];

  constructor(message: string, ids: readonly string[]) {
    super(message);
    this.ids = ids;
  }
}

/** The documents that an error of `write` blames; none where it is not about single documents. */
export function refusedIds(thrown: unknown): readonly string[] {
  return thrown instanceof RefusedForGood || thrown instanceof RefusedForNow ? thrown.ids : [];
}

export interface Removal {
  readonly id: string;
  readonly read: Version;
}

/** `conflict`: the document has another version than the one read (or exists, or is gone); nothing was changed. */
export type Outcome = 'done' | 'conflict';

export type Scalar = string | number | boolean | null;

/** A value to be equal to; a list to be one of (an empty one matches nothing); or a range of values of one type. */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | Range;

export interface Range {
  readonly gt?: string | number;
  readonly gte?: string | number;
  readonly lt?: string | number;
  readonly lte?: string | number;
}

export interface Query extends ReadOptions {
  readonly where: Readonly<Record<string, Condition>>;
  /** Paths, `-` for descending. Text is ordered by its UTF-8 bytes. */
  readonly order: readonly string[];
  /** At least 1. */
  readonly limit: number;
  /** The documents behind this id, `next` of a page of the same query: where the order is that of ids alone. */
  readonly after?: string;
  /** As in `versions`: for whoever tells others what it found, and would not learn that it was rolled back. */
  readonly durable?: boolean;
}

export interface Page<Body> {
  readonly documents: readonly Stored<Body>[];
  /** The last id of the page where more documents follow; null where it ended the list. */
  readonly next: string | null;
}

export interface CountQuery {
  readonly where: Readonly<Record<string, Condition>>;
  readonly by: readonly string[];
}

export interface Group {
  /** The values of `by`, in its order. */
  readonly values: readonly Scalar[];
  readonly count: number;
}
