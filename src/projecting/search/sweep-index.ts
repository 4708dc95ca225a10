import { documentsWithMark } from '../../stores/outbox.ts';
import { entryOf, markOf } from '../engine/outbox-marks.ts';
import { compareIndex, type Difference } from './compare-index.ts';
import { type FeedContext, INDEXED_PARTS, type IndexedParts } from './feed-context.ts';
import { acknowledge, markAgain, removeGone } from './acknowledge.ts';

/**
 * Compares the whole index with the documents, and marks again what differs and has no mark. Stops after each
 * batch, to let others have their turn.
 */
export async function* sweep(context: FeedContext): AsyncGenerator<void, void> {
  const { projection, index, logger, metrics } = context;
  let differences = 0;
  for await (const compared of compareIndex(projection, context)) {
    const differing = compared.differing.filter(isUnnoticed).map(({ stored }) => stored.id);
    await markAgain(context, differing);
    const found = differing.length + (await removeGone(context, compared.strays));
    metrics.differences.inc({ index }, found);
    differences += found;
    yield;
  }
  // Not alarming: what changes while it is compared looks like a difference, and is sent once more.
  if (differences > 0) logger.info({ index, differences }, 'entries that differed are sent again');
}

/** What a document with a mark lacks is under way. Only one that is refused must not be in the index at all. */
function isUnnoticed({ stored, held }: Difference): boolean {
  const mark = stored.body.dirty?.mark;
  return mark === undefined || (mark === 'refused' && held !== null);
}

/** Gives what the engine refused another try: it may be another engine, or a later release of it. */
export async function retryRefused(context: FeedContext): Promise<void> {
  const { documents, collection, projection } = context;
  const refused = documentsWithMark<IndexedParts>(documents, collection, ['refused'], INDEXED_PARTS);
  for await (const page of refused)
    await acknowledge(context, page, (stored) => markOf(entryOf(projection, stored)));
}
