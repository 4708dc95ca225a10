import type { Clock } from './clock.ts';
import { isBusy } from './sqlite.ts';

export interface Patience {
  readonly clock: Clock;
  /** How long to go on trying, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Repeats synchronous work for as long as another connection holds the write lock, and leaves the thread to others
 * between the attempts. So the database's own busy timeout, which blocks the thread, can be a few milliseconds.
 * Throws what the last attempt threw once patience has run out; every other error passes through at once.
 */
export async function retryWhileBusy<T>(work: () => T, { clock, patienceMs }: Patience): Promise<T> {
  const began = clock.monotonic();
  let paused = 0;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      // Attempts take time as well, and so does whatever else the thread does. A machine that slept counts its pauses alone.
      if (!isBusy(thrown) || Math.max(paused, clock.monotonic() - began) >= patienceMs) throw thrown;
    }
    // Drawn at random, so that many waiting writers do not come back at the same moment.
    const pause = 5 + Math.random() * 25;
    await clock.sleep(pause);
    paused += pause;
  }
}
