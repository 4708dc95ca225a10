import { randomBytes } from 'node:crypto';

import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents, ReadOptions } from '../../stores/documents/port.ts';
import { MARK_KEY } from '../../stores/outbox.ts';
import type { Search } from '../../stores/search/port.ts';
import { indexOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import type { Retry } from '../engine/retry.ts';
import type { SearchFeedMetrics } from './feed-metrics.ts';
import type { WorkBounds } from './feed-work.ts';

/** What a search feed is made of. */
export interface SearchFeedParts {
  readonly documents: Documents;
  readonly search: Search;
  /** One that has search entries. */
  readonly projection: Projection;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: SearchFeedMetrics;
  /** From 0 to 1, for the pauses; a simulation passes its own. */
  readonly random?: () => number;
  /** Tells seals of one millisecond apart: 16 hexadecimal digits, others each time; a simulation passes its own. */
  readonly nonce?: () => string;
  /** Names this feeder, and no other one ever; a simulation passes its own. Default: a random UUID. */
  readonly owner?: string;
  readonly bounds?: Partial<SearchFeedBounds>;
  /** Waited for after each piece of work, so that an index that nobody searches yet leaves readers the machine. */
  readonly breathe?: (signal: AbortSignal) => Promise<void>;
}

export interface SearchFeedBounds extends WorkBounds {
  /** How long a feeder that finds nothing to do waits at least. */
  readonly pollMs: number;
  /** How long it waits at most: it doubles the time while there is nothing to do. */
  readonly idlePollMs: number;
  /** For how long a feeder that is heard of no more keeps others from its index. Prolonged every third of it. */
  readonly leaseMs: number;
}

/**
 * A removal is confirmed after a minute: what is sent was read at most a sixth of that before, and no adapter lets a
 * request live for longer than half of it, 30 s.
 */
export const DEFAULT_BOUNDS: SearchFeedBounds = {
  pollMs: 100,
  idlePollMs: 1000,
  lookMs: 5000,
  sweepMs: 600_000,
  confirmAfterMs: 60_000,
  sealMs: 5000,
  leaseMs: 6000,
};

/** 16 hexadecimal digits. */
export function newNonce(): string {
  return randomBytes(8).toString('hex');
}

/** What of a document says what the index is to hold of it, and still has to be told: the rest, often the larger part, is left where it is. */
export type IndexedParts = Pick<ReadModelDocument, 'view' | 'dirty'>;
export const INDEXED_PARTS: ReadOptions = { keys: ['view', MARK_KEY] satisfies (keyof IndexedParts)[] };

/** What every part of a feed works with. */
export interface FeedContext extends Required<Omit<SearchFeedParts, 'bounds' | 'breathe'>> {
  readonly collection: string;
  readonly index: string;
  /** For what must not be left half done; everything else fails to the loop, which tries again from the beginning. */
  readonly retry: Retry;
  /** How old a reading may be when its consequence is sent, in milliseconds. */
  readonly freshMs: number;
}

/** The index of a projection that has one. @throws {Error} where it has none: nobody may ask for it. */
export function indexToFeed(projection: Projection): string {
  const index = indexOf(projection);
  if (index === null) throw new Error(`${projection.name} has no search entries`);
  return index;
}

/**
 * What was read a moment ago; read again where this process has slept over the answer. So a request is sent soon after
 * what it says was true, and has landed or is lost when a removal is confirmed.
 */
export async function justRead<T>(
  { clock, freshMs }: Pick<FeedContext, 'clock' | 'freshMs'>,
  read: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const asked = clock.monotonic();
    const answer = await read();
    if (clock.monotonic() - asked < freshMs) return answer;
  }
}

export type Due = ReturnType<typeof createDue>;

/** When something is to be done next, by time that passes: nobody has to care how the machine's clock is set. Due at once. */
export function createDue(clock: Pick<Clock, 'monotonic'>) {
  let at = clock.monotonic();
  return {
    isDue: (): boolean => clock.monotonic() >= at,
    /** In how many milliseconds it is due; 0 where it is. */
    left: (): number => Math.max(0, at - clock.monotonic()),
    /** Sets it to be due in so many milliseconds. */
    in: (ms: number): void => void (at = clock.monotonic() + ms),
  };
}
