import { setImmediate as nextTurn } from 'node:timers/promises';

import { chunks } from '../../platform/chunks.ts';
import { isFresh } from '../../platform/clock.ts';
import type { Cursor, Page, Stored } from '../../stores/documents/port.ts';
import type { Mark } from '../../stores/outbox.ts';
import { entryOf } from '../engine/outbox.ts';
import { isolate, putEntries, type Sendable } from './bisecting.ts';
import { justRead, type Feeding } from './feeding.ts';
import { removeEntries, acknowledge } from './acknowledge.ts';
import { SHOWN, type Shown } from './shown.ts';

type Document = Stored<Shown>;

/** A page made ahead of more documents than so many times what is wanted by now is made again. */
const TOO_MUCH = 2;
/** Entries that are made before others have their turn, and documents in a removal. */
const SOME = 250;

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
  const { documents } = await justRead(feeding, () => feeding.documents.find(feeding.collection, query));
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
  // What the index has, and still has a mark.
  let owed: readonly Document[] = [];
  try {
    do {
      if (beforeEachPage) sent += yield* beforeEachPage();
      const page: Prepared = stillTrue(feeding, ahead) ?? (await prepare(feeding, mark, after));
      after = page.next;
      const sends = page.puts.length + page.removals.length;
      if (sends === 0) continue;
      const before = owed;
      owed = [];
      const { has, prepared } = await sendPage(feeding, page, before, () =>
        prepareAhead(feeding, mark, page.next),
      );
      [owed, ahead, sent] = [has, prepared, sent + sends];
      if (after !== null) yield;
    } while (after !== null);
    const last = owed;
    owed = [];
    await takeAway(feeding, last);
  } finally {
    // Whoever has ended the pass early hears of another failure, or of none: the marks that stay are sent again.
    await Promise.allSettled([takeAway(feeding, owed)]);
  }
  return sent;
}

/** A page of documents, with what the index is to be told of them. */
interface Prepared {
  /** When they were asked for, by the monotonic clock. */
  readonly asked: number;
  /** How many documents it could have. */
  readonly most: number;
  readonly puts: readonly Sendable[];
  readonly removals: readonly Document[];
  readonly next: Cursor | null;
}

async function prepare(feeding: Feeding, mark: Mark['mark'], after: Cursor | null): Promise<Prepared> {
  const asked = feeding.clock.monotonic();
  const { documents, next, most } = await readPage(feeding, mark, after);
  const puts: Sendable[] = [];
  const removals: Document[] = [];
  for (const [at, stored] of documents.entries()) {
    // Making entries takes a while.
    if (at > 0 && at % SOME === 0) await nextTurn();
    const entry = entryOf(feeding.projection, stored);
    if (entry) puts.push({ stored, entry });
    else removals.push(stored);
  }
  return { asked, most, puts, removals, next };
}

/** The next page, while the index is busy with the one before; null where there is none, or it could not be read. */
async function prepareAhead(
  feeding: Feeding,
  mark: Mark['mark'],
  after: Cursor | null,
): Promise<Prepared | null> {
  if (after === null) return null;
  try {
    const prepared = await prepare(feeding, mark, after);
    await feeding.search.prepare?.(prepared.puts.map(({ entry }) => entry));
    return prepared;
  } catch {
    // It is prepared again when its turn comes, and what fails then is told.
    return null;
  }
}

/** Like everything that is sent, it must have been read a moment ago (`justRead`); and it may be too much by now. */
function stillTrue({ clock, freshMs, pages }: Feeding, ahead: Prepared | null): Prepared | null {
  if (!ahead || ahead.most > TOO_MUCH * pages.documents) return null;
  return isFresh(ahead.asked, clock.monotonic(), freshMs) ? ahead : null;
}

async function readPage(
  feeding: Feeding,
  mark: Mark['mark'],
  after: Cursor | null,
): Promise<Page<Shown> & { readonly most: number }> {
  const { documents, collection, pages } = feeding;
  // What a failover takes back must not have been told to the index.
  const query = { where: { 'dirty.mark': mark }, order: [], durable: true, ...SHOWN };
  const read = async () => {
    const limit = pages.documents;
    const page = await documents.find<Shown>(collection, {
      ...query,
      limit,
      ...(after === null ? {} : { after }),
    });
    return { ...page, most: limit };
  };
  // What takes too long to read is read in smaller pages.
  return await justRead(feeding, read, () => pages.failed());
}

/**
 * Asks for everything side by side; then the marks of the page before are taken away, and the next page is made, while the index is busy.
 * Waits for all of it even where some of it fails.
 */
async function sendPage(
  feeding: Feeding,
  { puts, removals, most }: Prepared,
  before: readonly Document[],
  meanwhile: () => Promise<Prepared | null>,
): Promise<{ readonly has: readonly Document[]; readonly prepared: Prepared | null }> {
  const { clock, pages } = feeding;
  const began = clock.monotonic();
  const taken = Promise.allSettled([
    ...[...chunks(puts, pages.entries)].map((some) => sendPut(feeding, some)),
    ...[...chunks(removals, SOME)].map((some) => sendRemoval(feeding, some)),
  ]).then((results) => ({ results, ms: clock.monotonic() - began }));
  const [{ results, ms }, prepared, [earlier]] = await Promise.all([
    taken,
    meanwhile(),
    Promise.allSettled([takeAway(feeding, before)]),
  ]);
  const has = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const failed = [...results, earlier].find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.allSettled([takeAway(feeding, has)]);
    throw failed.reason;
  }
  const isRefused = has.length < puts.length;
  if (!isRefused && puts.length > 0) pages.took(ms, puts.length, most);
  return { has, prepared };
}

/** Marks are taken away by so many writes side by side, of so many documents at least. */
const WRITERS = 4;

/** Takes the marks away of what the index has. Waits for all writes, and fails where one does. */
async function takeAway(feeding: Feeding, has: readonly Document[]): Promise<void> {
  const each = Math.max(SOME, Math.ceil(has.length / WRITERS));
  const writes = [...chunks(has, each)].map((some) => acknowledge(feeding, some, () => undefined));
  const failed = (await Promise.allSettled(writes)).find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** A removal keeps its document excluded from queries until it has been confirmed. Leaves no mark to take away. */
async function sendRemoval(feeding: Feeding, removals: readonly Document[]): Promise<readonly Document[]> {
  await removeEntries(feeding, removals);
  const since = await feeding.retry('reading the time', () => feeding.documents.now());
  await acknowledge(feeding, removals, () => ({ mark: 'confirm', since }));
  return [];
}

/**
 * Returns the documents that the index has, and whose marks are still to be taken away. Of a quick engine that is none: the longer
 * marks stand, the more documents have changed by then, and are sent again.
 */
async function sendPut(feeding: Feeding, batch: readonly Sendable[]): Promise<readonly Document[]> {
  const applied = await putEntries(feeding, batch);
  if (applied.outcome === 'done') {
    const has = batch.map(({ stored }) => stored);
    if (feeding.pages.isOverlapped) return has;
    await acknowledge(feeding, has, () => undefined);
    return [];
  }
  feeding.pages.failed();
  await isolate(feeding, batch, applied.reason);
  return [];
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
    const page: Page<Shown> = await readPage(feeding, 'confirm', after);
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
