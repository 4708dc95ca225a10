import { setImmediate as nextTurn } from 'node:timers/promises';

import { BSON } from 'mongodb';

import { isNativePath, rootOf } from '../names.ts';
import type { Stored, Version } from '../port.ts';
import { PARSED, type Projection, type Read } from './reading.ts';

/**
 * Keys of bodies that are read alone. A document has them as values of BSON where it says so (`whole`); otherwise the text of its
 * body has them, and has to be read.
 */

/** What of documents is read for these keys; null where one of them is nowhere but in the text. */
export function projectionOf(keys: readonly string[]): Projection | null {
  if (!keys.every((key) => !key.includes('.') && isNativePath(key))) return null;
  return { version: 1, whole: 1, ...Object.fromEntries(keys.map((key) => [key, 1 as const])) };
}

/** The same for a page of documents that are ordered by these paths; null also where one of them leads elsewhere. */
export function partsFor(keys: readonly string[], paths: readonly string[]): Projection | null {
  return paths.every((path) => keys.includes(rootOf(path))) ? projectionOf(keys) : null;
}

/** Documents that were read so, some at a time; and the ids of those that have to be read whole. */
export async function partsOf<Body>(
  read: readonly Read[],
  keys: readonly string[],
): Promise<{ readonly parts: readonly Stored<Body>[]; readonly rest: readonly string[] }> {
  const parts: Stored<Body>[] = [];
  const rest: string[] = [];
  for (const [index, one] of read.entries()) {
    if (index > 0 && index % PARSED === 0) await nextTurn();
    const { _id, version, whole, ...body } = BSON.deserialize(one) as PartOfDocument;
    if (keys.every((key) => whole?.includes(key))) parts.push({ id: _id, version, body: body as Body });
    else rest.push(_id);
  }
  return { parts, rest };
}

export function idOf(read: Read): string {
  return (BSON.deserialize(read) as PartOfDocument)._id;
}

interface PartOfDocument {
  readonly _id: string;
  readonly version: Version;
  /** Absent in documents that an earlier release has written. */
  readonly whole?: readonly string[];
}
