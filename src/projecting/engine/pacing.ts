import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../platform/clock.ts';
import { threadCpuMs } from '../../platform/thread-cpu.ts';

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
/**
 * Work is CPU time. Waiting for the disk or for a lock counts as well, up to this many times the CPU time: a longer wait is
 * for a processor that others have, and to rest for that would be to give way twice.
 */
const MOST_WAITING = 1;
/** Shorter ones are saved up: a timer takes longer. In milliseconds. */
const SHORTEST_REST_MS = 5;

/**
 * @param utilization how busy the thread is that answers readers, from 0 to 1; 0 where none is in this process.
 * @param cpuMs the CPU time of the thread that works, in milliseconds.
 */
export function createPace(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  utilization: () => number,
  signal: AbortSignal,
  cpuMs: () => number = threadCpuMs,
): Pace {
  let began = clock.monotonic();
  let cpuBegan = cpuMs();
  let owed = 0;
  return {
    async rest() {
      const cpu = cpuMs() - cpuBegan;
      const work = Math.min(clock.monotonic() - began, cpu * (1 + MOST_WAITING));
      owed += work * LONGEST_REST * utilization();
      if (owed >= SHORTEST_REST_MS) {
        await clock.sleep(owed, signal);
        owed = 0;
      } else {
        await nextTurn();
      }
      began = clock.monotonic();
      cpuBegan = cpuMs();
    },
  };
}
