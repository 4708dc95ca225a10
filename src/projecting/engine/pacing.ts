import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../platform/clock.ts';

/**
 * Lets others have the machine while a build is made that nobody waits for: the busier those are who answer readers, the
 * longer it rests after each piece of work.
 */
export interface Pace {
  /** To be called after every small piece of work. */
  rest(): Promise<void>;
}

/** Rests for so many times the work, where readers keep their thread busy all the time. */
const LONGEST_REST = 3;
/** Shorter ones are saved up: a timer takes longer. In milliseconds. */
const SHORTEST_REST_MS = 5;

/** `utilization` is how busy the thread is that answers readers, from 0 to 1; 0 where none is in this process. */
export function createPace(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  utilization: () => number,
  signal: AbortSignal,
): Pace {
  let began = clock.monotonic();
  let owed = 0;
  return {
    async rest() {
      owed += (clock.monotonic() - began) * LONGEST_REST * utilization();
      if (owed >= SHORTEST_REST_MS) {
        await clock.sleep(owed, signal);
        owed = 0;
      } else {
        await nextTurn();
      }
      began = clock.monotonic();
    },
  };
}
