import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Search } from '../../stores/search/port.ts';
import { indexOf, type Projection } from '../engine/projection.ts';
import type { Retry } from '../engine/retry.ts';
import type { SearchFeedMetrics } from './metrics.ts';

/** What every part of a feed works with. */
export interface Feeding {
  readonly projection: Projection;
  readonly collection: string;
  readonly index: string;
  /** Names this feeder in the lease. */
  readonly owner: string;
  readonly documents: Documents;
  readonly search: Search;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: SearchFeedMetrics;
  /** For what must not be left half done; everything else fails to the loop, which tries again from the beginning. */
  readonly retry: Retry;
  readonly random: () => number;
  /** Tells seals of one millisecond apart. */
  readonly nonce: () => string;
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
  { clock, freshMs }: Pick<Feeding, 'clock' | 'freshMs'>,
  read: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const asked = clock.monotonic();
    const answer = await read();
    if (clock.monotonic() - asked < freshMs) return answer;
  }
}
