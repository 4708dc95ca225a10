import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { wantedOf } from '../../src/projecting/search/compare-index.ts';
import { FEED_LEASES, type FeedLease } from '../../src/stores/feed-lease.ts';
import type { NoteView } from '../support/fake-projection.ts';
import { NOTES_AND_MARKS } from './notes-and-marks.ts';
import { require } from './promises.ts';
import { bodyOf, type Change, type SharedDocuments } from './simulated-documents.ts';
import { BOUNDS } from './stage.ts';
import { UNSEARCHABLE, type SharedSearch } from './simulated-search.ts';

/** What must never be untrue of the index, and what must be true in the end. */

type Document = ReadModelDocument<unknown, NoteView>;

/** At every change of either: what readers must not find is not in the index, or is left out by every query. */
export function checkExcluded(
  documents: SharedDocuments,
  search: SharedSearch,
  build: string,
  id: string,
): void {
  const document = bodyOf(documents, build, id) as Document | undefined;
  if (!document || document.view.text !== null || !search.indexes.get(build)?.has(id)) return;
  const mark = document.dirty?.mark;
  require(mark === 'remove' ||
    mark === 'confirm', `answers are honest: ${id} is unpublished and can be found`);
}

/** At every write: a removal is final only after it has been made once more, when nothing from before can still land. */
export function checkConfirmed(id: string, before: unknown, after: unknown, now: number): void {
  const was = (before as Document | undefined)?.dirty;
  const { view, dirty } = after as Document;
  if (view.text !== null || dirty || !was) return;
  // Simulated time has fractions: a sum of them is rounded.
  const isConfirmed = was.mark === 'confirm' && now - was.since > BOUNDS.confirmAfterMs - 1;
  require(isConfirmed, `answers are honest: the removal of ${id} is taken for final as ${was.mark}`);
}

/** At every write: another content version of an index tells readers that it has changed. */
export function noteAnnounced(search: SharedSearch, { collection, id, before, after }: Change): void {
  // Those of workers that believe an index to be their own are kept apart.
  if (!collection.startsWith(FEED_LEASES.name)) return;
  const version = (after as FeedLease | undefined)?.content_version ?? null;
  if (version === null || version === (before as FeedLease | undefined)?.content_version) return;
  require(!search.versions.has(version), `a content version comes back: ${version}`);
  search.versions.add(version);
  search.unannounced.delete(id);
}

/** What keeps the index from being as the documents say; null where nothing does. */
export function unsettled(documents: SharedDocuments, search: SharedSearch, build: string): string | null {
  const held = new Map(search.indexes.get(build));
  for (const [id, kept] of documents.collections.get(build) ?? []) {
    const { version } = kept;
    const body = kept.body as Document;
    const expected = body.view.text === UNSEARCHABLE ? 'refused' : undefined;
    if (body.dirty?.mark !== expected) return `${id} has the mark ${body.dirty?.mark}, not ${expected}`;
    const wanted = wantedOf(NOTES_AND_MARKS, { id, version, body });
    if ((held.get(id) ?? null) !== wanted) return `${id} differs in the index`;
    held.delete(id);
  }
  if (search.unannounced.has(build)) return 'its content version is that of before its last change';
  return held.size > 0 ? `${[...held.keys()].join(', ')} in the index, without a document` : null;
}
