import { type AnyBulkWriteOperation, BSON, type Document, type UpdateFilter } from 'mongodb';

import { withKeyOf } from '../keys.ts';
import {
  type Outcome,
  RefusedForGood,
  type Removal,
  type Stored,
  type Version,
  type Write,
} from '../port.ts';
import type { Layout } from './layout.ts';
import { documentOf, nativeOf, type StoredDocument } from './stored.ts';

/**
 * Guarded writes and removals as bulk writes, and what became of each.
 *
 * A document that was read as absent is inserted: a duplicate key (11000) says that it exists. Any other is replaced
 * or deleted where it still has its version, never upserted, so that what was removed does not come back. Of those
 * MongoDB tells only how many fitted: where that is fewer than were sent, the versions are read. The writer's own
 * token means done: the answer that it follows waited for a majority to have everything that stood before it, as
 * also writes do that change nothing. A document that was written by this very call and overwritten by somebody else before the
 * versions were read counts as a conflict, as after a lost answer (port.ts).
 *
 * Of a write of one key, that key and the version alone are changed, as an outbox does for each document that an index has taken
 * in. It fits where the key is native and the text of the body has no value of it.
 */
export interface Change {
  readonly id: string;
  /** Null where the document was absent. */
  readonly read: Version | null;
  readonly operation: AnyBulkWriteOperation<StoredDocument>;
  readonly bytes: number;
  /** What a document of this version (undefined: none) says of the change, where the server did not say it. */
  readonly settle: (found: Version | undefined) => Settled | 'open';
}

/** `unfit`: the key cannot be written alone, and the document is as it was read. */
export type Settled = Outcome | 'unfit';

/** The largest document that MongoDB takes: https://www.mongodb.com/docs/manual/reference/limits/ */
const LARGEST = 16 * 1024 * 1024;
/** A body of this size may make a document that is too large; smaller ones are not measured. */
const DOUBTFUL = 2 * 1024 * 1024;

/** About what a bulk write says of a key beside its value. */
const KEY_BYTES = 256;

/** @throws {RefusedForGood} where the document is larger than MongoDB takes. */
export function writeChange(collection: string, write: Write<unknown>, layout: Layout): Change {
  const { id, read, version, body } = write;
  const { document, bytes } = documentOf({ id, version, body: body as object }, layout);
  if (bytes > DOUBTFUL && BSON.calculateObjectSize(document) > LARGEST) {
    throw new RefusedForGood(
      `The document ${JSON.stringify(id)} of ${collection} is larger than the 16 MiB that MongoDB takes.`,
      [id],
    );
  }
  const { _id, ...replacement } = document;
  return {
    id,
    read,
    bytes,
    operation:
      read === null
        ? { insertOne: { document } }
        : { replaceOne: { filter: { _id, version: read }, replacement } },
    settle: (found) => (found === version ? 'done' : found === read ? 'open' : 'conflict'),
  };
}

/** A write of one key of a document that was read. */
export function isOfOneKey(write: Write<unknown>): write is KeyWrite {
  return write.only !== undefined && write.read !== null;
}

type KeyWrite = Write<unknown> & { readonly only: string; readonly read: Version };

/** Null where the key cannot be written alone. */
export function keyChange({ id, read, version, only, body }: KeyWrite, layout: Layout): Change | null {
  if (!layout.native.has(only)) return null;
  const { [only]: value } = body as Readonly<Record<string, unknown>>;
  const native = nativeOf(only, value, layout);
  if (!native.isWhole) return null;
  const update: UpdateFilter<Document> =
    native.value === undefined
      ? { $set: { version }, $unset: { [only]: 1 } }
      : { $set: { version, [only]: native.value } };
  return {
    id,
    read,
    bytes: KEY_BYTES + native.bytes,
    operation: { updateOne: { filter: { _id: id, version: read, whole: only }, update } },
    settle: (found) => (found === version ? 'done' : found === read ? 'unfit' : 'conflict'),
  };
}

/** Writes of one key, with the rest of their documents as they were found. Of one that is gone nothing will be written. */
export function inWhole(
  writes: readonly Write<unknown>[],
  found: ReadonlyMap<string, Stored<unknown>>,
): readonly Write<unknown>[] {
  return writes.map((write) => {
    const stored = found.get(write.id);
    if (!stored || write.only === undefined) return write;
    return { ...write, body: withKeyOf(write.body, write.only, stored.body) };
  });
}

export function removalChange({ id, read }: Removal): Change {
  return {
    id,
    read,
    bytes: 0,
    operation: { deleteOne: { filter: { _id: id, version: read } } },
    settle: (found) => (found === undefined ? 'done' : found === read ? 'open' : 'conflict'),
  };
}
