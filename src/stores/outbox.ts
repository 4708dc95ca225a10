import { pagesOf } from './documents/pages.ts';
import type { Documents, Index, ReadOptions, Stored } from './documents/port.ts';

/**
 * The outbox on a document: what its search index still has to be told. A document without a mark is in the index as
 * it should be. The marks, and what moves a document from one to another:
 *
 *   (none) --its entry changes--> put --the index has it--> (none)
 *   (none), put --its entry is gone--> remove --the index has it no longer--> confirm --asked once more--> (none)
 *   put --the index refuses it--> refused --its entry changes--> put, remove
 *
 * Folding sets `put` and `remove` in the very write that changes the entry; everything else is the feed's.
 */
export type Mark =
  | { readonly mark: 'put' }
  | { readonly mark: 'remove' }
  /** Removed; a stalled request of a feeder may still bring it back until it has been removed once more. */
  | {
      readonly mark: 'confirm';
      /** When it was removed, by the store's clock, Unix milliseconds. */
      readonly since: number;
    }
  /** The engine does not accept the entry. `reason` is one line for people. */
  | { readonly mark: 'refused'; readonly reason: string };

/** A document that an index is fed from. */
export interface OutboxDocument {
  readonly dirty?: Mark | undefined;
}

/** The key of the mark: the feed writes it alone. */
export const MARK_KEY = 'dirty' satisfies keyof OutboxDocument;

/** What such a collection declares beside its own indexes. */
export const OUTBOX_INDEX: Index = ['dirty.mark'];

const PAGE = 1000;

/** Documents with one of these marks, by id, in pages of at most 1,000; with `keys`, these of each alone. */
export function documentsWithMark<Body extends OutboxDocument>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  marks: readonly Mark['mark'][],
  options: ReadOptions = {},
): AsyncGenerator<readonly Stored<Body>[]> {
  return pagesOf(documents, collection, { ...options, where: { 'dirty.mark': { in: marks } }, limit: PAGE });
}

/**
 * The ids that the index may still hold although their entries are gone, ascending: queries leave them out until the
 * removal is confirmed.
 */
export async function removals(
  documents: Pick<Documents, 'find'>,
  collection: string,
): Promise<readonly string[]> {
  const marked = documentsWithMark(documents, collection, ['remove', 'confirm'], { keys: [] });
  return (await Array.fromAsync(marked)).flatMap((page) => page.map(({ id }) => id)).sort();
}

/** How many documents have each mark. */
export async function countMarks(
  documents: Pick<Documents, 'count'>,
  collection: string,
): Promise<Readonly<Record<Mark['mark'], number>>> {
  // Not the documents without a mark, which are nearly all of them: only an index's marked part is counted.
  const where = { 'dirty.mark': { in: ['put', 'remove', 'confirm', 'refused'] } };
  const groups = await documents.count(collection, { where, by: ['dirty.mark'] });
  const of = (mark: Mark['mark']): number => groups.find(({ values }) => values[0] === mark)?.count ?? 0;
  return { put: of('put'), remove: of('remove'), confirm: of('confirm'), refused: of('refused') };
}
