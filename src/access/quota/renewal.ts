import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { isSettled, isStored, type Counter } from './counter.ts';
import { isDue, TENDED_EVERY_MS } from './lease.ts';
import type { StoreTime } from '../../stores/store-time.ts';
import { dayAt } from '../utc-day.ts';

/**
 * Looks after counters that hold something unspent, or of which the store does not know all: asleep while there are
 * none, else at work every 400 ms, until it is closed.
 */
export interface Tending {
  watch(counter: Counter): void;
  /** Ends the work, and returns the counters that were still watched. */
  close(): Promise<readonly Counter[]>;
}

export interface TendingOptions {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly logger: Logger | undefined;
  /** Tells the store what a counter has to say. */
  readonly tell: (counter: Counter) => Promise<unknown>;
}

export function createTending({ clock, time, logger, tell }: TendingOptions): Tending {
  const watched = new Set<Counter>();
  const closing = new AbortController();
  let working: Promise<void> | null = null;
  let isFailing = false;

  return {
    watch(counter) {
      if (isSettled(counter) || closing.signal.aborted) return;
      watched.add(counter);
      working ??= work();
    },

    async close() {
      closing.abort();
      await working;
      return [...watched];
    },
  };

  async function work(): Promise<void> {
    while (watched.size > 0) {
      await clock.sleep(TENDED_EVERY_MS, closing.signal);
      if (closing.signal.aborted) return;
      await tend();
    }
    working = null;
  }

  async function tend(): Promise<void> {
    try {
      const now = await time.now();
      const today = dayAt(now);
      for (const counter of watched) {
        // What was not spent on its day is worth nothing on the next one, and nobody waits for it.
        if (counter.day < today) counter.unspent = 0;
        if (isSettled(counter)) watched.delete(counter);
      }
      const due = [...watched].filter(
        (counter) => isDue(counter, now) || counter.owed > 0 || !isStored(counter),
      );
      await Promise.all(due.map(tell));
      isFailing = false;
    } catch (thrown) {
      // Once for each outage: requests, which fail too, say the rest.
      if (!isFailing)
        logger?.warn({ reason: messageOf(thrown) }, 'unspent requests could not be returned yet');
      isFailing = true;
    }
  }
}
