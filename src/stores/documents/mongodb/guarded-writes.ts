import type { AnyBulkWriteOperation, Document, UpdateFilter } from 'mongodb';

import type { Outcome, Removal, Version, Write } from '../port.ts';
import type { Layout } from './found-indexes.ts';
import { nativeOf } from './native-values.ts';
import { documentOf, type StoredDocument } from './stored-document.ts';

/**
 * Guarded writes and removals as bulk writes, and what became of each.
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
  /** What a document of this version (undefined: none) says of the change, where the server did not say it. */
  readonly settle: (found: Version | undefined) => Outcome | 'open';
}

/** @throws {RefusedForGood} where MongoDB has no place for the document. */
export function writeChange(collection: string, write: Write<unknown>, layout: Layout): Change {
  const { id, read, version, only } = write;
  return {
    id,
    read,
    operation:
      only !== undefined && read !== null
        ? keyUpdate({ ...write, read, only }, layout)
        : replacement(collection, write, layout),
    settle: (found) => (found === version ? 'done' : found === read ? 'open' : 'conflict'),
  };
}

function replacement(
  collection: string,
  { read, ...stored }: Write<unknown>,
  layout: Layout,
): Change['operation'] {
  const document = documentOf(collection, stored, layout);
  const { _id, ...replaced } = document;
  return read === null
    ? { insertOne: { document } }
    : { replaceOne: { filter: { _id, version: read }, replacement: replaced } };
}

/** Of a write of one key, that key and the version alone are changed, as a feed does for each document that an index has taken in. */
function keyUpdate(
  { id, read, version, only, body }: Write<unknown> & { readonly only: string; readonly read: Version },
  { paths }: Layout,
): Change['operation'] {
  const value = nativeOf(id, only, (body as Readonly<Record<string, unknown>>)[only], paths);
  const update: UpdateFilter<Document> =
    value === undefined ? { $set: { version }, $unset: { [only]: 1 } } : { $set: { version, [only]: value } };
  return { updateOne: { filter: { _id: id, version: read }, update } };
}

export function removalChange({ id, read }: Removal): Change {
  return {
    id,
    read,
    operation: { deleteOne: { filter: { _id: id, version: read } } },
    settle: (found) => (found === undefined ? 'done' : found === read ? 'open' : 'conflict'),
  };
}
