import type { Clock } from '../../platform/clock.ts';
import type { Counter } from './counter.ts';

/**
 * Fills up allotments that run low, before anybody has to wait: those of all places together, so that many hot keys cost
 * one write now and then.
 */
interface Filling {
  add(counter: Counter): void;
  /** From now on nothing is filled up. */
  close(): void;
}

/** How long the first one waits for others, in milliseconds. */
const TOGETHER_MS = 5;

export function createFilling(
  clock: Pick<Clock, 'sleep'>,
  isLow: (counter: Counter) => boolean,
  flush: (counter: Counter) => Promise<void>,
): Filling {
  const low = new Set<Counter>();
  const closing = new AbortController();

  return {
    add(counter) {
      if (low.size === 0 && !closing.signal.aborted) void fill();
      low.add(counter);
    },
    close: () => closing.abort(),
  };

  async function fill(): Promise<void> {
    await clock.sleep(TOGETHER_MS, closing.signal);
    // Some were filled up meanwhile, by a request that found nothing left.
    const together = [...low].filter(isLow);
    low.clear();
    if (closing.signal.aborted) return;
    // Where the store fails, the next request that finds nothing held says so.
    await Promise.allSettled(together.map(flush));
  }
}
