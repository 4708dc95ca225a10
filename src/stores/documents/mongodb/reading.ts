import { setImmediate as nextTurn } from 'node:timers/promises';

import { BSON, type Collection } from 'mongodb';

import { chunks } from '../../../platform/chunks.ts';
import { isId } from '../checks.ts';
import { withKeys } from '../keys.ts';
import type { Stored } from '../port.ts';
import type { PageQuery } from './queries.ts';
import { READ, type StoredDocument, storedOf } from './stored.ts';

/** Ids in one read. */
export const CHUNK = 1000;
/** Bodies that are parsed before others have their turn. */
export const PARSED = 10;

/** What of documents is read. */
export type Projection = Readonly<Record<string, 0 | 1>>;

/** A document as its bytes: its values are made of them a few at a time. */
export type Read = Uint8Array;

export async function pageOf(
  collection: Collection<StoredDocument>,
  { filter, sort }: PageQuery,
  {
    hint,
    limit,
    durable = false,
    projection = READ,
  }: {
    readonly hint: string;
    readonly limit: number;
    readonly durable?: boolean | undefined;
    readonly projection?: Projection;
  },
): Promise<readonly Read[]> {
  const options = { projection, sort, limit, batchSize: limit, hint, allowDiskUse: true, raw: true };
  const concern = durable ? { readConcern: 'majority' as const } : {};
  return await collection.find<Read>(filter, { ...options, ...concern }).toArray();
}

export function chunksOfIds(ids: readonly string[]): Iterable<readonly string[]> {
  return chunks([...new Set(ids)].filter(isId), CHUNK);
}

export function wholeOf(read: Read): Stored<unknown> {
  return storedOf(BSON.deserialize(read) as StoredDocument);
}

/** Parses some bodies at a time, so that a large read holds up nobody. With `keys`, bodies have these alone. */
export async function parsed<Body>(
  read: readonly Read[],
  keys?: readonly string[],
): Promise<readonly Stored<Body>[]> {
  const documents: Stored<Body>[] = [];
  for (const one of read) {
    if (documents.length > 0 && documents.length % PARSED === 0) await nextTurn();
    const whole = wholeOf(one);
    documents.push((keys ? withKeys(whole, keys) : whole) as Stored<Body>);
  }
  return documents;
}
