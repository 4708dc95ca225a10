import type { Stored } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { entryDigest, type SearchEntry } from '../../stores/search/port.ts';
import type { Projection, ReadModelDocument } from './projection.ts';

/**
 * The mark of a document that is written with another view: its index has to be told where the entry has become
 * another one. Otherwise the mark stays what it was: what it asks for has not been done yet.
 */
export function markAfter(
  projection: Projection,
  id: string,
  before: ReadModelDocument | undefined,
  entry: SearchEntry | null,
): Mark | undefined {
  // A new document without an entry has nothing in the index that could be removed.
  if (!before) return entry ? markOf(entry) : undefined;
  // It asks for just this already, whatever the entry was before.
  if (before.dirty && before.dirty.mark === markOf(entry).mark) return before.dirty;
  return isKnown(projection, id, before, entry) ? before.dirty : markOf(entry);
}

function isKnown(
  projection: Projection,
  id: string,
  before: ReadModelDocument,
  entry: SearchEntry | null,
): boolean {
  try {
    return sameEntry(projection.searchEntry?.(id, before.view) ?? null, entry);
  } catch {
    // An older release has made a view that this one makes no entry of: the index holds another one, if any.
    return false;
  }
}

/** The mark of a document whose index may not hold what it should: this entry, or none. */
export function markOf(entry: SearchEntry | null): Mark {
  return { mark: entry ? 'put' : 'remove' };
}

/** A document with this mark, or without any. What it says is not touched. */
export function withMark({ registers, view }: ReadModelDocument, mark: Mark | undefined): ReadModelDocument {
  return { registers, view, ...(mark ? { dirty: mark } : {}) };
}

/** What the index is to hold of a document as it is stored; null for nothing. */
export function entryOf(projection: Projection, { id, body }: Stored<ReadModelDocument>): SearchEntry | null {
  return projection.searchEntry?.(id, body.view) ?? null;
}

function sameEntry(a: SearchEntry | null, b: SearchEntry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.score === b.score && entryDigest(a) === entryDigest(b);
}
