import { randomBytes } from 'node:crypto';

import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Search } from '../../stores/search/port.ts';
import type { Projection } from '../engine/projection.ts';
import type { SearchFeedMetrics } from './feeding.ts';
import type { WorkBounds } from './work.ts';

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
