import { PermanentError } from '../../platform/errors.ts';
import { newVersion, type Outcome, type Stored, type Write } from '../../stores/documents/port.ts';
import { MARK_KEY, type Mark, type OutboxDocument } from '../../stores/outbox.ts';
import { entryOf, markOf } from '../engine/outbox-marks.ts';
import { conflictPause } from '../engine/retry.ts';
import { type FeedContext, INDEXED_PARTS, type IndexedParts } from './feed-context.ts';

/** After a request to the index: what becomes of the marks in the outbox. Every write is guarded by the version that was sent. */

/** How many times a document is read and marked again at once; after that with a pause before each time. */
const PROMPT_ATTEMPTS = 5;

/**
 * Gives documents the mark that they deserve now that the index has what they said. Where one has changed since, our
 * request may have landed after that of a feeder that knew better: then it is marked again.
 */
export async function acknowledge(
  context: FeedContext,
  sent: readonly Stored<IndexedParts>[],
  markFor: (stored: Stored<IndexedParts>) => Mark | undefined,
): Promise<void> {
  const writes = sent.map((stored) => marked(stored, markFor(stored)));
  const outcomes = await writeMarks(context, writes);
  await markAgain(context, conflicting(writes, outcomes));
}

/** After a request that may or may not have landed: marks those again that have changed since it was made. */
export async function markChanged(
  context: FeedContext,
  sent: readonly Stored<IndexedParts>[],
): Promise<void> {
  const { documents, collection, retry } = context;
  const versions = await retry('reading versions', () => documents.versions(collection, idsOf(sent)));
  const changed = sent.filter(({ id, version }) => versions.get(id) !== version);
  await markAgain(context, idsOf(changed));
}

/**
 * Marks documents as their entries ask for by now. One that is marked already gets a new version: a
 * feeder that is just sending it must not take the mark away. Of one that is gone the index is told.
 */
export async function markAgain(context: FeedContext, ids: readonly string[]): Promise<void> {
  const { documents, projection, collection, retry, clock, random } = context;
  let pending = ids;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    if (attempt > PROMPT_ATTEMPTS) await clock.sleep(conflictPause(attempt - PROMPT_ATTEMPTS, random));
    const asked = pending;
    const stored = await retry('reading documents', () =>
      documents.get<IndexedParts>(collection, asked, INDEXED_PARTS),
    );
    const writes = [...stored.values()].map((one) => {
      const { dirty } = one.body;
      const isWaiting = dirty?.mark === 'put' || dirty?.mark === 'remove';
      return marked(one, isWaiting ? dirty : markOf(entryOf(projection, one)));
    });
    pending = conflicting(writes, await writeMarks(context, writes));
    const gone = asked.filter((id) => !stored.has(id));
    await removeGone(context, gone);
  }
}

/** Takes out of the index what has no document, and marks those that have come back meanwhile. */
export async function removeGone(context: FeedContext, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { documents, collection } = context;
  const before = await documents.versions(collection, ids);
  const gone = ids.filter((id) => !before.has(id));
  await removeIds(context, gone);
  const after = await documents.versions(collection, gone);
  await markAgain(context, [...after.keys()]);
  return gone.length;
}

/**
 * Removes the entries of these documents. Where no answer comes, documents that have changed meanwhile are marked again.
 * @throws {PermanentError} where the engine refuses to remove entries.
 */
export async function removeEntries(
  context: FeedContext,
  sent: readonly Stored<IndexedParts>[],
): Promise<void> {
  try {
    await removeIds(context, idsOf(sent));
  } catch (thrown) {
    await markChanged(context, sent);
    throw thrown;
  }
}

async function removeIds({ search, index, metrics }: FeedContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const applied = await search.remove(index, ids);
  if (applied.outcome === 'failed')
    throw new PermanentError(`The search engine refuses to remove entries: ${applied.reason}`);
  metrics.sent.inc({ index, what: 'remove' }, ids.length);
}

function marked({ id, version }: Stored<IndexedParts>, dirty: Mark | undefined): Write<OutboxDocument> {
  return { id, read: version, version: newVersion(), body: dirty ? { dirty } : {}, only: MARK_KEY };
}

async function writeMarks(
  { documents, collection, retry }: FeedContext,
  writes: readonly Write<OutboxDocument>[],
): Promise<readonly Outcome[]> {
  if (writes.length === 0) return [];
  return await retry('writing marks', () => documents.write(collection, writes));
}

function conflicting(writes: readonly Write<OutboxDocument>[], outcomes: readonly Outcome[]) {
  return idsOf(writes.filter((_, at) => outcomes[at] !== 'done'));
}

function idsOf(some: readonly { readonly id: string }[]): readonly string[] {
  return some.map(({ id }) => id);
}
