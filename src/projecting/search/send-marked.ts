import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Page, Stored } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { entryOf } from '../engine/outbox-marks.ts';
import { isolate, putEntries, type Sendable } from './put-and-bisect.ts';
import { type FeedContext, INDEXED_PARTS, type IndexedParts, justRead } from './feed-context.ts';
import { removeEntries, acknowledge } from './acknowledge.ts';

type Document = Stored<IndexedParts>;

/**
 * Documents in a page. Engines that have much to do for a put, however small it is, take in many at a time; of so many, one
 * that is refused is found by eleven more puts.
 */
const PAGE = 1000;
/** Entries that are made before others have their turn. */
const SOME = 250;

/**
 * Sends everything that waits, once, by id from the first to the last, past those that come meanwhile: so no document starves.
 * Removals go first, and again before each page of puts. Stops between pages to let others have their turn;
 * returns how many documents it has sent.
 */
export function sendWaiting(context: FeedContext): AsyncGenerator<void, number> {
  return sendMarked(context, 'put', () => sendMarked(context, 'remove'));
}

async function* sendMarked(
  context: FeedContext,
  mark: 'put' | 'remove',
  beforeEachPage?: () => AsyncGenerator<void, number>,
): AsyncGenerator<void, number> {
  let sent = 0;
  let after: string | null = '';
  do {
    if (beforeEachPage) sent += yield* beforeEachPage();
    const page: Page<IndexedParts> = await readPage(context, mark, after);
    after = page.next;
    if (page.documents.length > 0) await sendPage(context, page.documents);
    sent += page.documents.length;
    if (after !== null) yield;
  } while (after !== null);
  return sent;
}

async function readPage(context: FeedContext, mark: Mark['mark'], after: string) {
  const { documents, collection } = context;
  // What a failover takes back must not have been told to the index.
  const query = { where: { 'dirty.mark': mark }, order: [], durable: true, ...INDEXED_PARTS };
  return await justRead(context, () =>
    documents.find<IndexedParts>(collection, { ...query, limit: PAGE, after }),
  );
}

/** Removals first: readers miss a new entry less than they mind one that is gone. */
async function sendPage(context: FeedContext, documents: readonly Document[]): Promise<void> {
  const puts: Sendable[] = [];
  const removals: Document[] = [];
  for (const [at, stored] of documents.entries()) {
    // Making entries takes a while.
    if (at > 0 && at % SOME === 0) await nextTurn();
    const entry = entryOf(context.projection, stored);
    if (entry) puts.push({ stored, entry });
    else removals.push(stored);
  }
  if (removals.length > 0) await sendRemoval(context, removals);
  if (puts.length > 0) await sendPut(context, puts);
}

/** A removal keeps its document excluded from queries until it has been confirmed. */
async function sendRemoval(context: FeedContext, removals: readonly Document[]): Promise<void> {
  await removeEntries(context, removals);
  const since = await context.retry('reading the time', () => context.documents.now());
  await acknowledge(context, removals, () => ({ mark: 'confirm', since }));
}

async function sendPut(context: FeedContext, batch: readonly Sendable[]): Promise<void> {
  const applied = await putEntries(context, batch);
  if (applied.outcome === 'done') {
    const has = batch.map(({ stored }) => stored);
    await acknowledge(context, has, () => undefined);
  } else {
    await isolate(context, batch, applied.reason);
  }
}

/**
 * Removes once more what was removed so long ago that no request from before can still be under way: then it is gone
 * for good. Returns in how many milliseconds the next one is due, if any is known.
 */
export async function* confirmRemovals(
  context: FeedContext,
  confirmAfterMs: number,
): AsyncGenerator<void, number> {
  const { documents } = context;
  let next = confirmAfterMs;
  let after: string | null = '';
  do {
    const now = await documents.now();
    const page: Page<IndexedParts> = await readPage(context, 'confirm', after);
    after = page.next;
    const due: Document[] = [];
    for (const stored of page.documents) {
      const { dirty } = stored.body;
      const left = (dirty?.mark === 'confirm' ? dirty.since : 0) + confirmAfterMs - now;
      if (left <= 0) due.push(stored);
      else next = Math.min(next, left);
    }
    if (due.length > 0) {
      await removeEntries(context, due);
      await acknowledge(context, due, () => undefined);
    }
    if (after !== null) yield;
  } while (after !== null);
  return next;
}
