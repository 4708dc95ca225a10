import { newVersion, type Stored, type Write } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { entryDigest, type SearchEntry } from '../../stores/search/port.ts';
import type { Projection, ReadModelDocument } from './projection.ts';

/** The guarded write of a document with other registers, marked where its index has to be told. @throws as `markAfter`. */
export function documentWrite(
  projection: Projection,
  id: string,
  stored: Stored<ReadModelDocument> | undefined,
  { registers, view }: Pick<ReadModelDocument, 'registers' | 'view'>,
): Write<ReadModelDocument> {
  const mark = markAfter(projection, id, stored?.body, view);
  const unchanged = mark === stored?.body.dirty ? ['dirty'] : [];
  const body = withMark({ registers, view }, mark);
  return { id, read: stored?.version ?? null, version: newVersion(), body, unchanged };
}

/**
 * The mark of a document that is written with another view: its index has to be told where the entry has become
 * another one. Otherwise the mark stays what it was: what it asks for has not been done yet.
 * @throws what the projection throws where it cannot make an entry of the view.
 */
export function markAfter(
  projection: Projection,
  id: string,
  before: ReadModelDocument | undefined,
  view: unknown,
): Mark | undefined {
  const has = hasEntry(projection, id, view);
  const mark = has ? PUT : REMOVE;
  // A new document without an entry has nothing in the index that could be removed.
  if (!before) return has ? mark : undefined;
  // It asks for just this already, whatever the entry was before.
  if (before.dirty?.mark === mark.mark) return before.dirty;
  return isKnown(projection, id, before, view) ? before.dirty : mark;
}

function hasEntry(projection: Projection, id: string, view: unknown): boolean {
  if (!projection.searchEntry) return false;
  return projection.entries ? projection.entries.has(view) : projection.searchEntry(id, view) !== null;
}

function isKnown(projection: Projection, id: string, before: ReadModelDocument, view: unknown): boolean {
  try {
    if (!projection.searchEntry) return true;
    if (projection.entries) return projection.entries.same(id, before.view, view);
    return sameEntry(projection.searchEntry(id, before.view), projection.searchEntry(id, view));
  } catch {
    // An older release has made a view that this one makes no entry of: the index holds another one, if any.
    return false;
  }
}

const PUT: Mark = { mark: 'put' };
const REMOVE: Mark = { mark: 'remove' };

/** The mark of a document whose index may not hold what it should: this entry, or none. */
export function markOf(entry: SearchEntry | null): Mark {
  return entry ? PUT : REMOVE;
}

/** A document with this mark, or without any. What it says is not touched. */
export function withMark({ registers, view }: ReadModelDocument, mark: Mark | undefined): ReadModelDocument {
  return { registers, view, ...(mark ? { dirty: mark } : {}) };
}

/** What the index is to hold of a document as it is stored; null for nothing. */
export function entryOf(
  projection: Projection,
  { id, body }: Stored<Pick<ReadModelDocument, 'view'>>,
): SearchEntry | null {
  return projection.searchEntry?.(id, body.view) ?? null;
}

function sameEntry(a: SearchEntry | null, b: SearchEntry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.score === b.score && entryDigest(a) === entryDigest(b);
}
