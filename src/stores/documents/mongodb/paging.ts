import type { Collection } from 'mongodb';

import { isJsonObject } from '../../../platform/json.ts';
import { isScalar } from '../checks.ts';
import { encodeCursor } from '../cursor.ts';
import type { Page, Query, Scalar, Stored } from '../port.ts';
import type { CheckedQuery } from '../query.ts';
import { pageQueries } from './queries.ts';
import { pageOf, type Parts, type Read } from './reading.ts';
import type { StoredDocument } from './stored.ts';

/** A page of documents as their bytes. */
export interface ReadPage {
  readonly read: readonly Read[];
  /** Whether the list ends with it. */
  readonly isLast: boolean;
}

/** Of a collection that does not exist. */
export const NO_PAGE: ReadPage = { read: [], isLast: true };

interface PageReading {
  readonly hint: string;
  readonly limit: number;
  readonly durable: boolean | undefined;
  readonly projection: Parts['projection'];
}

export async function readPage(
  collection: Collection<StoredDocument>,
  checked: CheckedQuery,
  { hint, limit, durable, projection }: PageReading,
): Promise<ReadPage> {
  const read: Read[] = [];
  for (const query of pageQueries(checked)) {
    if (read.length > limit) break;
    // One more than asked for tells whether there is a next page.
    const left = limit + 1 - read.length;
    read.push(...(await pageOf(collection, query, { hint, limit: left, durable, projection })));
  }
  return { read: read.slice(0, limit), isLast: read.length <= limit };
}

/** The page for the caller; `last` is its last document, with what the documents are ordered by. */
export function pageWith<Body>(
  documents: readonly Stored<Body>[],
  last: Stored<unknown> | undefined,
  isLast: boolean,
  { order, paths }: { readonly order: Query['order']; readonly paths: CheckedQuery['paths'] },
): Page<Body> {
  if (isLast || !last) return { documents, next: null };
  const values = paths.map((path) => scalarAt(last.body, path));
  return { documents, next: encodeCursor(order, { id: last.id, values }) };
}

function scalarAt(body: unknown, path: string): Scalar {
  let value = body;
  for (const key of path.split('.'))
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  return isScalar(value) ? value : null;
}
