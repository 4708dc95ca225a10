import { type AnyBulkWriteOperation, BSON } from 'mongodb';

import { type Outcome, RefusedForGood, type Removal, type Version, type Write } from '../port.ts';
import type { Layout } from './layout.ts';
import { documentOf, type StoredDocument } from './stored.ts';

/**
 * Guarded writes and removals as bulk writes, and what became of each.
 *
 * A write that takes out one key of what was read, as an outbox does for each document that an index has taken in, changes that
 * key and the version alone.
 *
 * A document that was read as absent is inserted: a duplicate key (11000) says that it exists. Any other is replaced
 * or deleted where it still has its version, never upserted, so that what was removed does not come back. Of those
 * MongoDB tells only how many fitted: where that is fewer than were sent, the versions are read. The writer's own
 * token means done: the answer that it follows waited for a majority to have everything that stood before it, as
 * also writes do that change nothing. A document that was written by this very call and overwritten by somebody else before the
 * versions were read counts as a conflict, as after a lost answer (port.ts).
 */
export interface Change {
  readonly id: string;
  /** Null where the document was absent. */
  readonly read: Version | null;
  readonly operation: AnyBulkWriteOperation<StoredDocument>;
  readonly bytes: number;
  /** What is sent in its place where it has not fitted, though the document has the version that was read. */
  readonly otherwise?: () => Change;
  /** What a document of this version (undefined: none) says of the change, where the server did not say it. */
  readonly settle: (found: Version | undefined) => Outcome;
}

/** The largest document that MongoDB takes: https://www.mongodb.com/docs/manual/reference/limits/ */
const LARGEST = 16 * 1024 * 1024;
/** A body of this size may make a document that is too large; smaller ones are not measured. */
const DOUBTFUL = 2 * 1024 * 1024;

/** About what taking out a key is in a bulk write. */
const KEY_BYTES = 256;

/** @throws {RefusedForGood} where the document is larger than MongoDB takes. */
export function writeChange(collection: string, write: Write<unknown>, layout: Layout): Change {
  const { id, read, version, only, body } = write;
  const isTakenOut = only !== undefined && (body as Readonly<Record<string, unknown>>)[only] === undefined;
  if (!isTakenOut || read === null || !layout.native.has(only)) return wholeChange(collection, write, layout);
  // Where the text of the body has the value, too, the document is written as a whole.
  const filter = { _id: id, version: read, whole: only };
  return {
    id,
    read,
    bytes: KEY_BYTES,
    operation: { updateOne: { filter, update: { $set: { version }, $unset: { [only]: 1 } } } },
    otherwise: () => wholeChange(collection, write, layout),
    settle: (found) => (found === version ? 'done' : 'conflict'),
  };
}

function wholeChange(
  collection: string,
  { id, read, version, body }: Write<unknown>,
  layout: Layout,
): Change {
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
    settle: (found) => (found === version ? 'done' : 'conflict'),
  };
}

export function removalChange({ id, read }: Removal): Change {
  return {
    id,
    read,
    bytes: 0,
    operation: { deleteOne: { filter: { _id: id, version: read } } },
    settle: (found) => (found === undefined ? 'done' : 'conflict'),
  };
}
