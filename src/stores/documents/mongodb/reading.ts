import { setImmediate as nextTurn } from 'node:timers/promises';

import { BSON, type Collection } from 'mongodb';

import { chunks } from '../../../platform/chunks.ts';
import { isId } from '../checks.ts';
import type { Stored } from '../port.ts';
import type { PageQuery } from './queries.ts';
import { READ, type StoredDocument, storedOf } from './stored.ts';

/** Ids in one read. */
export const CHUNK = 1000;
/** Bodies that are parsed before others have their turn. */
const PARSED = 10;

/** A document as its bytes: its values are made of them a few at a time. */
export type Read = Uint8Array;

export async function pageOf(
  collection: Collection<StoredDocument>,
  { filter, sort }: PageQuery,
  {
    hint,
    limit,
    durable = false,
  }: { readonly hint: string; readonly limit: number; readonly durable?: boolean | undefined },
): Promise<readonly Read[]> {
  const options = { projection: READ, sort, limit, batchSize: limit, hint, allowDiskUse: true, raw: true };
  const concern = durable ? { readConcern: 'majority' as const } : {};
  return await collection.find<Read>(filter, { ...options, ...concern }).toArray();
}

export function chunksOfIds(ids: readonly string[]): Iterable<readonly string[]> {
  return chunks([...new Set(ids)].filter(isId), CHUNK);
}

/** Parses some bodies at a time, so that a large read holds up nobody. */
export async function parsed<Body>(read: readonly Read[]): Promise<readonly Stored<Body>[]> {
  const documents: Stored<Body>[] = [];
  for (const one of read) {
    if (documents.length > 0 && documents.length % PARSED === 0) await nextTurn();
    documents.push(storedOf<Body>(BSON.deserialize(one) as StoredDocument));
  }
  return documents;
}
