import type { Collection } from 'mongodb';

import { encodeCursor } from '../cursor.ts';
import type { Page, Query, Scalar, Stored } from '../port.ts';
import type { CheckedQuery } from '../query.ts';
import { indexedAt } from './fields.ts';
import type { Layout } from './layout.ts';
import { pageQueries } from './queries.ts';
import { pageOf, type Projection, type Read } from './reading.ts';
import type { StoredDocument } from './stored.ts';

/** A page of documents as their bytes. */
export interface ReadPage {
  readonly read: readonly Read[];
  /** Whether the list ends with it. */
  readonly isLast: boolean;
  /** What of a body its documents are ordered by. */
  readonly valuesOf: (body: unknown) => readonly Scalar[];
}

/** Of a collection that does not exist. */
export const NO_PAGE: ReadPage = { read: [], isLast: true, valuesOf: () => [] };

interface PageReading {
  readonly hint: string;
  readonly layout: Layout;
  readonly limit: number;
  readonly durable: boolean | undefined;
  readonly projection: Projection;
}

export async function readPage(
  collection: Collection<StoredDocument>,
  checked: CheckedQuery,
  { hint, layout, limit, durable, projection }: PageReading,
): Promise<ReadPage> {
  const read: Read[] = [];
  for (const query of pageQueries(checked, layout)) {
    if (read.length > limit) break;
    // One more than asked for tells whether there is a next page.
    const left = limit + 1 - read.length;
    read.push(...(await pageOf(collection, query, { hint, limit: left, durable, projection })));
  }
  return {
    read: read.slice(0, limit),
    isLast: read.length <= limit,
    valuesOf: (body) => checked.paths.map((path) => indexedAt(body, path, layout)),
  };
}

/** The page for the caller; `last` is its last document, with what the documents are ordered by. */
export function pageWith<Body>(
  documents: readonly Stored<Body>[],
  last: Stored<unknown> | undefined,
  { isLast, valuesOf }: ReadPage,
  { order }: Query,
): Page<Body> {
  if (isLast || !last) return { documents, next: null };
  return { documents, next: encodeCursor(order, { id: last.id, values: valuesOf(last.body) }) };
}
