import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { isSettled, isStored, type Counter } from './counter.ts';
import { isDue, RENEWED_EVERY_MS } from './allotment.ts';
import type { StoreTime } from '../../stores/store-time.ts';
import { dayAt } from './days.ts';

/**
 * Renews or returns allotments: watches counters that hold something unspent, or of which the store does not know all.
 * Asleep while there are none, else at work every 400 ms, until it is closed.
 */
interface Renewal {
  watch(counter: Counter): void;
  /** Ends the work, and returns the counters that were still watched. */
  close(): Promise<readonly Counter[]>;
}

interface RenewalOptions {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly logger: Logger | undefined;
  /** Writes what a counter says to the store. */
  readonly flush: (counter: Counter) => Promise<unknown>;
}

export function createRenewal({ clock, time, logger, flush }: RenewalOptions): Renewal {
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
      await clock.sleep(RENEWED_EVERY_MS, closing.signal);
      if (closing.signal.aborted) return;
      await renew();
    }
    working = null;
  }

  async function renew(): Promise<void> {
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
      await Promise.all(due.map(flush));
      isFailing = false;
    } catch (thrown) {
      // Once for each outage: requests, which fail too, say the rest.
      if (!isFailing)
        logger?.warn({ reason: messageOf(thrown) }, 'unspent requests could not be returned yet');
      isFailing = true;
    }
  }
}
