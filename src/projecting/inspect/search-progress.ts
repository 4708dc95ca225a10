import { chunks } from '../../platform/chunks.ts';
import type { Documents, Stored } from '../../stores/documents/port.ts';
import { readFeedLease } from '../../stores/feed-lease.ts';
import { countMarks, documentsWithMark } from '../../stores/outbox.ts';
import { entryDigest } from '../../stores/search/port.ts';
import { entryOf } from '../engine/outbox-marks.ts';
import { POLL_MS, type WaitOutcome, type WaitOptions } from './lane-progress.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { indexToFeed } from '../search/feed-context.ts';

/** How far a search index has come, as its outbox and its lease say, in the names in which scripts get it. */
export interface SearchProgress {
  readonly index: string;
  /** Documents that the index has still to be told of. */
  readonly waiting: number;
  /** Removals that are to be made sure of. */
  readonly confirming: number;
  /** Documents whose entry the engine does not accept; their reasons stand in their marks. */
  readonly refused: number;
  /** How long the index has not been known to be up to date, in milliseconds; null where it is. */
  readonly behind_ms: number | null;
  /** Whether a feeder has been heard of lately. */
  readonly fed: boolean;
  /** Whether it was newly made, or found empty, and has not yet been told of everything: then it is not asked, and /search is 503. */
  readonly filling: boolean;
  /** What keeps the feeder from feeding, one line for people; null where nothing does. */
  readonly trouble: string | null;
}

/** Of a build that has an index, at a time of the documents store: Unix milliseconds. */
export async function readSearchProgress(
  build: Pick<Projection, 'name' | 'version' | 'build'>,
  documents: Documents,
  now: number,
): Promise<SearchProgress> {
  const index = collectionOf(build);
  const lease = await readFeedLease(documents, index);
  const { put, remove, confirm, refused } = await countMarks(documents, index);
  const since = lease?.behind_since ?? null;
  return {
    index,
    waiting: put + remove,
    confirming: confirm,
    refused,
    // It may have been said since the clock was read.
    behind_ms: since === null ? null : Math.max(0, now - since),
    fed: lease !== null && lease.until > now,
    filling: lease !== null && lease.seal === null,
    trouble: lease?.trouble ?? null,
  };
}

/** Documents looked at at a time. A feeder goes by id, so the first ones are the first to be ready. */
const CHUNK = 200;

/**
 * Waits until the index has been told of everything that waits when it is asked, or the signal is aborted. A document
 * counts as told once it has no mark, or asks for another entry than it did: newer events have changed it since. One
 * that the engine refuses has been told as well. A backfill is waited for to its end.
 */
export async function waitForSearch(
  projection: Projection,
  documents: Documents,
  { clock, signal, onProgress, pollMs = POLL_MS }: WaitOptions,
): Promise<Exclude<WaitOutcome, 'halted'>> {
  const collection = collectionOf(projection);
  const asked = new Map<string, string | null>();
  for await (const page of documentsWithMark<ReadModelDocument>(documents, collection, ['put', 'remove']))
    for (const stored of page) asked.set(stored.id, wish(projection, stored));
  let left = asked.size;
  onProgress?.(left);
  for (const ids of chunks([...asked.keys()].sort(), CHUNK)) {
    let chunk = ids;
    while (chunk.length > 0) {
      const stored = await documents.get<ReadModelDocument>(collection, chunk);
      const before = chunk.length;
      chunk = chunk.filter((id) => {
        const found = stored.get(id);
        const mark = found?.body.dirty?.mark;
        return found && (mark === 'put' || mark === 'remove') && wish(projection, found) === asked.get(id);
      });
      left -= before - chunk.length;
      onProgress?.(left);
      if (chunk.length === 0) break;
      if (signal.aborted) return 'stopped';
      await clock.sleep(pollMs, signal);
    }
  }
  while ((await readFeedLease(documents, indexToFeed(projection)))?.seal === null) {
    if (signal.aborted) return 'stopped';
    await clock.sleep(pollMs, signal);
  }
  return 'reached';
}

/** What a document asks the index to hold: the digest of its entry, or null for none. */
function wish(projection: Projection, stored: Stored<ReadModelDocument>): string | null {
  const entry = entryOf(projection, stored);
  return entry && entryDigest(entry);
}
