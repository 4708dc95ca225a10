import { setImmediate as nextTurn } from 'node:timers/promises';

import { BSON, type Collection } from 'mongodb';

import { chunks } from '../../../platform/chunks.ts';
import { isId } from '../checks.ts';
import { withKeys } from '../pick-keys.ts';
import type { Stored, Version } from '../port.ts';
import type { Layout } from './found-indexes.ts';
import type { PageQuery } from './queries.ts';
import { type StoredDocument, storedOf } from './stored-document.ts';

/** Ids in one read. */
export const CHUNK = 1000;
/** Bodies that are parsed before others have their turn. */
const PARSED = 10;

/** A document as its bytes: its values are made of them a few at a time. */
export type DocumentBytes = Uint8Array;

/** What of documents is read, and what is made of it. */
export interface Parts {
  /** Nothing where documents are read whole. */
  readonly projection: Readonly<Record<string, 0 | 1>>;
  readonly storedOf: (read: DocumentBytes) => Stored<unknown>;
}

const WHOLE: Parts = {
  projection: {},
  storedOf: (read) => storedOf(BSON.deserialize(read) as StoredDocument),
};

/** Native keys are read alone; where another one is asked for, whole documents are cut to what was asked for. */
export function partsFor(keys: readonly string[] | undefined, layout: Layout | undefined): Parts {
  if (!keys) return WHOLE;
  if (!keys.every((key) => layout?.keys.has(key)))
    return { ...WHOLE, storedOf: (read) => withKeys(WHOLE.storedOf(read), keys) };
  return {
    projection: { version: 1, ...Object.fromEntries(keys.map((key) => [key, 1 as const])) },
    storedOf(read) {
      const { _id, version, ...body } = BSON.deserialize(read) as { _id: string; version: Version };
      return { id: _id, version, body };
    },
  };
}

interface PageOptions extends Pick<Parts, 'projection'> {
  readonly hint: string;
  readonly limit: number;
  readonly durable?: boolean | undefined;
}

export async function readPage(
  collection: Collection<StoredDocument>,
  { filter, sort }: PageQuery,
  { hint, limit, durable = false, projection }: PageOptions,
): Promise<readonly DocumentBytes[]> {
  const concern = durable ? { readConcern: 'majority' as const } : {};
  const options = { projection, sort, limit, batchSize: limit, hint, allowDiskUse: true, raw: true };
  return await collection.find<DocumentBytes>(filter, { ...options, ...concern }).toArray();
}

export function chunksOfIds(ids: readonly string[]): Iterable<readonly string[]> {
  return chunks([...new Set(ids)].filter(isId), CHUNK);
}

/** Parses some bodies at a time, so that a large read holds up nobody. */
export async function parsed<Body>(read: readonly DocumentBytes[], parts: Parts) {
  const documents: Stored<Body>[] = [];
  for (const one of read) {
    if (documents.length > 0 && documents.length % PARSED === 0) await nextTurn();
    documents.push(parts.storedOf(one) as Stored<Body>);
  }
  return documents;
}
