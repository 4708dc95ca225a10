import type { Documents, Stored } from '../../stores/documents/port.ts';
import { entryDigest, type Content, type Search } from '../../stores/search/port.ts';
import { entryOf } from '../engine/outbox-marks.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { INDEXED_PARTS, type IndexedParts, indexToFeed } from './feed-context.ts';
import { mergeById, type MergedById } from './merge-by-id.ts';

export interface Difference {
  readonly stored: Stored<IndexedParts>;
  /** Digests of the entry as it should be and as it is; null where there is none. */
  readonly wanted: string | null;
  readonly held: string | null;
}

/** Documents and entries that are handed out at a time: readers' searches have their turn between two of them. */
const BATCH = 200;

/**
 * Documents and index side by side, both by id, a batch at a time with nothing kept of either. Not a snapshot: what
 * changes meanwhile may look like a difference.
 */
export async function* compareIndex(
  projection: Projection,
  { documents, search }: { readonly documents: Documents; readonly search: Search },
) {
  const stored = documents.scan<IndexedParts>(collectionOf(projection), INDEXED_PARTS);
  let batch: Pair[] = [];
  for await (const pair of mergeById(stored, search.contents(indexToFeed(projection)))) {
    batch.push(pair);
    if (batch.length < BATCH) continue;
    yield compare(projection, batch);
    batch = [];
  }
  if (batch.length > 0) yield compare(projection, batch);
}

/** The digest of the entry that the index should hold; null for none. What the engine refuses should not be there. */
export function wantedOf(projection: Projection, stored: Stored<IndexedParts>): string | null {
  if (stored.body.dirty?.mark === 'refused') return null;
  const entry = entryOf(projection, stored);
  return entry && entryDigest(entry);
}

type Pair = MergedById<Stored<IndexedParts>, Content>;

/** Some documents beside what the index holds of them. */
function compare(projection: Projection, pairs: readonly Pair[]) {
  const documents = pairs.flatMap(({ before }) => before ?? []);
  const differing = pairs.flatMap(({ before: stored, after: content }): readonly Difference[] => {
    if (stored === null) return [];
    const wanted = wantedOf(projection, stored);
    const found = content?.digest ?? null;
    return wanted === found ? [] : [{ stored, wanted, held: found }];
  });
  /** Ids in the index that no document has. */
  const strays = pairs.flatMap(({ id, before }) => (before === null ? id : []));
  /** How many entries the index has there: between the documents before these and the last of these. */
  const held = pairs.filter(({ after }) => after !== null).length;
  return { documents, held, differing, strays };
}
