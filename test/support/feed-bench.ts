import { join } from 'node:path';

import { expect } from 'vitest';

import { createLogger } from '../../src/platform/logger.ts';
import { Registry } from '../../src/platform/metrics-registry.ts';
import { applyEvents } from '../../src/projecting/engine/apply-events.ts';
import { collectionSpec, type ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { createRetry } from '../../src/projecting/engine/retry.ts';
import { createSearchFeedMetrics } from '../../src/projecting/search/feed-metrics.ts';
import { type FeedContext, type SearchFeedParts } from '../../src/projecting/search/feed-context.ts';
import { createSearchFeed, type SearchFeed } from '../../src/projecting/search/feed.ts';
import type { Documents, Stored } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { readFeedLease } from '../../src/stores/feed-lease.ts';
import type { Mark } from '../../src/stores/outbox.ts';
import { entryDigest, type Search } from '../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import {
  noteEntry,
  noteEvent,
  SEARCHED_NOTES,
  type NoteRegisters,
  type NoteView,
} from './fake-projection.ts';
import { overriding } from './overriding.ts';
import { storedIn } from './documents.ts';
import { temporaryFolder } from './folder.ts';
import { fakeClock, type FakeClock } from './test-clock.ts';

export const INDEX = 'notes@1';

export type Note = ReadModelDocument<NoteRegisters, NoteView>;

/** Notes on real embedded stores, with an index and feeders. Time passes only when a test says so. */
export interface FeedBench extends AsyncDisposable {
  readonly documents: Documents;
  readonly search: Search;
  readonly searchPath: string;
  readonly clock: FakeClock;
  readonly parts: SearchFeedParts;
  /** What the parts of a feed work with, for tests of one of them. */
  readonly context: FeedContext;
  /** Folds notes: subject, revision, text. */
  fold(...notes: readonly (readonly [string, number, string | null])[]): Promise<void>;
  /** Starts one more feeder. */
  feed(overrides?: Partial<SearchFeedParts>): SearchFeed;
  /** Resolves when no document waits for the index any more. */
  fed(): Promise<void>;
  stored(id: string): Promise<Stored<Note> | undefined>;
  /** The marks of those that have one, by id. */
  marks(): Promise<Readonly<Record<string, Mark['mark']>>>;
  /** What the index holds: digests by id. */
  held(): Promise<Readonly<Record<string, string>>>;
}

/** What an index holds of notes with these texts. */
export function entriesOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([id, text]) => [id, entryDigest(noteEntry(id, text))]),
  );
}

/**
 * Since when search has been behind, by the feeder's lease; null where it is not. Time passes, so that the lease is
 * prolonged again with what the feeder knows by then.
 */
export async function behindSinceByLease({
  clock,
  documents,
}: FeedBench): Promise<number | null | undefined> {
  clock.time += 2000;
  return (await readFeedLease(documents, INDEX))?.behind_since;
}

export async function openFeedBench(): Promise<FeedBench> {
  const folder = temporaryFolder();
  const clock = fakeClock(1_000_000);
  const searchPath = join(folder, 'search.db');
  // Feeders wait by the clock alone: what the store does while somebody waits for its writes sleeps by the same clock.
  const documents = overriding<Documents>(openSqliteDocuments(join(folder, 'documents.db'), { clock }), {});
  const search = openSqliteSearch(searchPath);
  await documents.declare(collectionSpec(SEARCHED_NOTES));
  const logger = createLogger('silent', 'test');
  const metrics = createSearchFeedMetrics(new Registry());
  const retry = createRetry({ clock, logger, signal: new AbortController().signal });
  // By these sleeps tests know that there was nothing to do.
  const bounds = { idlePollMs: 100 };
  const parts: SearchFeedParts = { documents, search, projection: SEARCHED_NOTES, clock, logger, bounds };
  const feeds: SearchFeed[] = [];
  const marks = async (): Promise<Readonly<Record<string, Mark['mark']>>> => {
    const all = await storedIn<Note>(documents, INDEX);
    return Object.fromEntries(all.flatMap(({ id, body: { dirty } }) => (dirty ? [[id, dirty.mark]] : [])));
  };
  return {
    documents,
    search,
    searchPath,
    clock,
    parts,
    context: {
      ...parts,
      collection: INDEX,
      index: INDEX,
      owner: 'test',
      metrics,
      retry,
      random: () => 1,
      nonce: () => '0'.repeat(16),
      freshMs: 10_000,
    },
    fold: async (...notes) => {
      const events = notes.map(([subject, revision, text]) => noteEvent(subject, revision, text));
      await applyEvents(SEARCHED_NOTES, events, { documents, retry, pause: async () => undefined });
    },
    feed: (overrides) => {
      const feed = createSearchFeed({ ...parts, ...overrides });
      feeds.push(feed);
      feed.start();
      return feed;
    },
    fed: async () => {
      const waiting = async (): Promise<readonly string[]> =>
        Object.values(await marks()).filter((mark) => mark === 'put' || mark === 'remove');
      await expect.poll(waiting).toEqual([]);
    },
    stored: async (id) => (await documents.get<Note>(INDEX, [id])).get(id),
    marks,
    held: async () => {
      const contents = (await Array.fromAsync(search.contents(INDEX))).flat();
      return Object.fromEntries(contents.map(({ id, digest }) => [id, digest]));
    },
    [Symbol.asyncDispose]: async () => {
      for (const feed of feeds) await feed[Symbol.asyncDispose]();
      await documents[Symbol.asyncDispose]();
      await search[Symbol.asyncDispose]();
    },
  };
}
