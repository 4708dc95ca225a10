import { BSON } from 'mongodb';

import { RefusedForGood, type Stored, type Version } from '../port.ts';
import type { Layout } from './found-indexes.ts';
import { nativeOf } from './native-values.ts';

/**
 * A document as MongoDB keeps it: each key of the body that an index begins with as a value of BSON, under its own name, for
 * people and for indexes, and the rest of the body as JSON text, which is read back exactly as it was written.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly version: Version;
  readonly body: string;
}

/** The largest document that MongoDB takes: https://www.mongodb.com/docs/manual/reference/limits/ */
const LARGEST = 16 * 1024 * 1024;

/**
 * A document to write.
 * @throws {RefusedForGood} where BSON has no place for a native key, or the document is larger than MongoDB takes.
 */
export function documentOf(
  collection: string,
  { id, version, body }: Stored<unknown>,
  { keys, paths }: Layout,
): StoredDocument {
  const rest: Record<string, unknown> = { ...(body as object) };
  const native: Record<string, unknown> = {};
  for (const key of keys) {
    const value = Object.hasOwn(rest, key) ? nativeOf(id, key, rest[key], paths) : undefined;
    if (value !== undefined) native[key] = value;
    delete rest[key];
  }
  const document = { _id: id, version, body: JSON.stringify(rest), ...native };
  if (BSON.calculateObjectSize(document) > LARGEST) {
    throw new RefusedForGood(
      `The document ${JSON.stringify(id)} of ${collection} is larger than the 16 MiB that MongoDB takes.`,
      [id],
    );
  }
  return document;
}

export function storedOf<Body>({ _id, version, body, ...native }: StoredDocument): Stored<Body> {
  return { id: _id, version, body: { ...(JSON.parse(body) as object), ...native } as Body };
}
