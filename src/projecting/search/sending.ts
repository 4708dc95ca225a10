import { setImmediate as nextTurn } from 'node:timers/promises';

import { chunks } from '../../platform/chunks.ts';
import { isFresh } from '../../platform/clock.ts';
import type { Cursor, Page, Stored } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { entryOf } from '../engine/outbox.ts';
import type { ReadModelDocument } from '../engine/projection.ts';
import { isolate, putEntries, type Sendable } from './bisecting.ts';
import { justRead, type Feeding } from './feeding.ts';
import { removeEntries, acknowledge } from './acknowledge.ts';

type Document = Stored<ReadModelDocument>;

/** Documents that are read at a time. */
const PAGE = 1000;
/** Entries in one put; the puts of a page run side by side. Of so many, one that is refused is found by 10 more puts. */
const BATCH = 250;

/**
 * Sends everything that waits, once, by id from the first to the last, past those that come meanwhile: so no document starves.
 * Removals go first, and again before each page of puts. Stops between pages to let others have their turn;
 * returns how many documents it has sent.
 */
export function sendWaiting(feeding: Feeding): AsyncGenerator<void, number> {
  return sendMarked(feeding, 'put', () => sendMarked(feeding, 'remove'));
}

/** The same where nothing waited the last time: one question tells whether anything does, where a pass asks two. */
export async function* sendNews(feeding: Feeding): AsyncGenerator<void, number> {
  const where = { 'dirty.mark': { in: ['put', 'remove'] } };
  const query = { where, order: [], limit: 1, durable: true, keys: [] };
  const { documents } = await feeding.documents.find(feeding.collection, query);
  return documents.length > 0 ? yield* sendWaiting(feeding) : 0;
}

async function* sendMarked(
  feeding: Feeding,
  mark: 'put' | 'remove',
  beforeEachPage?: () => AsyncGenerator<void, number>,
): AsyncGenerator<void, number> {
  let sent = 0;
  let after: Cursor | null = null;
  let ahead: Prepared | null = null;
  do {
    if (beforeEachPage) sent += yield* beforeEachPage();
    const page: Prepared = stillTrue(feeding, ahead) ?? (await prepare(feeding, mark, after));
    after = page.next;
    if (page.batches.length > 0) {
      ahead = await sendPage(feeding, page, () => prepareAhead(feeding, mark, page.next));
      for (const { puts, removals } of page.batches) sent += puts.length + removals.length;
      if (after !== null) yield;
    }
  } while (after !== null);
  return sent;
}

/** A page of documents, with what the index is to be told of them. */
interface Prepared {
  /** When they were asked for, by the monotonic clock. */
  readonly asked: number;
  readonly batches: readonly Batch[];
  readonly next: Cursor | null;
}

interface Batch {
  readonly puts: readonly Sendable[];
  readonly removals: readonly Document[];
}

async function prepare(feeding: Feeding, mark: Mark['mark'], after: Cursor | null): Promise<Prepared> {
  const asked = feeding.clock.monotonic();
  const { documents, next } = await readPage(feeding, mark, after);
  const batches: Batch[] = [];
  for (const some of chunks(documents, BATCH)) {
    // Making entries takes a while: between two batches others have their turn.
    if (batches.length > 0) await nextTurn();
    batches.push(batchOf(feeding, some));
  }
  return { asked, batches, next };
}

/** The next page, while the index is busy with the one before; null where there is none, or it could not be read. */
async function prepareAhead(
  feeding: Feeding,
  mark: Mark['mark'],
  after: Cursor | null,
): Promise<Prepared | null> {
  try {
    return after === null ? null : await prepare(feeding, mark, after);
  } catch {
    // It is prepared again when its turn comes, and what fails then is told.
    return null;
  }
}

/** Like everything that is sent, it must have been read a moment ago (`justRead`). */
function stillTrue({ clock, freshMs }: Feeding, ahead: Prepared | null): Prepared | null {
  return ahead && isFresh(ahead.asked, clock.monotonic(), freshMs) ? ahead : null;
}

function readPage(
  feeding: Feeding,
  mark: Mark['mark'],
  after: Cursor | null,
): Promise<Page<ReadModelDocument>> {
  const where = { 'dirty.mark': mark };
  // What a failover takes back must not have been told to the index.
  const query = { where, order: [], limit: PAGE, durable: true, ...(after === null ? {} : { after }) };
  return justRead(feeding, () => feeding.documents.find<ReadModelDocument>(feeding.collection, query));
}

function batchOf({ projection }: Feeding, documents: readonly Document[]): Batch {
  const puts: Sendable[] = [];
  const removals: Document[] = [];
  for (const stored of documents) {
    const entry = entryOf(projection, stored);
    if (entry) puts.push({ stored, entry });
    else removals.push(stored);
  }
  return { puts, removals };
}

/**
 * Asks for everything side by side, and waits for all of it even where some of it fails. Returns what `meanwhile` does,
 * which begins when all is asked for.
 */
async function sendPage<T>(feeding: Feeding, page: Prepared, meanwhile: () => Promise<T>): Promise<T> {
  const requests = Promise.allSettled(page.batches.flatMap((batch) => sendBatch(feeding, batch)));
  const [results, done] = await Promise.all([requests, meanwhile()]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return done;
}

function sendBatch(feeding: Feeding, { puts, removals }: Batch): readonly Promise<void>[] {
  return [
    ...(puts.length > 0 ? [sendPut(feeding, puts)] : []),
    ...(removals.length > 0 ? [sendRemoval(feeding, removals)] : []),
  ];
}

/** A removal keeps its document excluded from queries until it has been confirmed. */
async function sendRemoval(feeding: Feeding, removals: readonly Document[]): Promise<void> {
  await removeEntries(feeding, removals);
  const since = await feeding.retry('reading the time', () => feeding.documents.now());
  await acknowledge(feeding, removals, () => ({ mark: 'confirm', since }));
}

async function sendPut(feeding: Feeding, batch: readonly Sendable[]): Promise<void> {
  const applied = await putEntries(feeding, batch);
  if (applied.outcome === 'failed') return await isolate(feeding, batch, applied.reason);
  await acknowledge(
    feeding,
    batch.map(({ stored }) => stored),
    () => undefined,
  );
}

/**
 * Removes once more what was removed so long ago that no request from before can still be under way: then it is gone
 * for good. Returns in how many milliseconds the next one is due, if any is known.
 */
export async function* confirmRemovals(
  feeding: Feeding,
  confirmAfterMs: number,
): AsyncGenerator<void, number> {
  const { documents } = feeding;
  let next = confirmAfterMs;
  let after: Cursor | null = null;
  do {
    const now = await documents.now();
    const page: Page<ReadModelDocument> = await readPage(feeding, 'confirm', after);
    after = page.next;
    const due: Document[] = [];
    for (const stored of page.documents) {
      const left = sinceOf(stored) + confirmAfterMs - now;
      if (left <= 0) due.push(stored);
      else next = Math.min(next, left);
    }
    if (due.length > 0) {
      await removeEntries(feeding, due);
      await acknowledge(feeding, due, () => undefined);
    }
    if (after !== null) yield;
  } while (after !== null);
  return next;
}

function sinceOf({ body: { dirty } }: Document): number {
  return dirty?.mark === 'confirm' ? dirty.since : 0;
}
