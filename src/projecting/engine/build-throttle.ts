import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../platform/time/clock.ts';

export type BuildThrottle = ReturnType<typeof createBuildThrottle>;

/** Rests for so many times the work, where readers keep their thread busy all the time. */
const LONGEST_REST = 3;
/**
 * Work is CPU time. Waiting for the disk or for a lock counts as well, up to this many times the CPU time: a longer wait is
 * for a processor that others have, and to rest for that would be to give way twice.
 */
const MOST_WAITING = 1;
/** Shorter ones are saved up: a timer takes longer. In milliseconds. */
const SHORTEST_REST_MS = 5;

/** The CPU time that the calling thread has used, in milliseconds: what others make it wait for is not in it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Lets others have the machine while builds are made that nobody waits for: the busier those are who answer readers, the
 * longer everything that is made in this thread rests after each piece of work.
 * @param utilization how busy the thread is that answers readers, from 0 to 1; 0 where none is in this process.
 * @param cpuMs the CPU time of the thread that works, in milliseconds.
 */
export function createBuildThrottle(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  utilization: () => number,
  cpuMs: () => number = threadCpuMs,
) {
  let workedAt = clock.monotonic();
  let cpu = cpuMs();
  let owed = 0;
  let restsUntil = workedAt;

  /** What was done since the last piece, by whichever of those that share the thread: it is counted once. */
  function owe(now: number): void {
    const used = cpuMs() - cpu;
    cpu += used;
    owed += Math.min(now - workedAt, used * (1 + MOST_WAITING)) * LONGEST_REST * utilization();
    workedAt = now;
    if (owed < SHORTEST_REST_MS) return;
    restsUntil = Math.max(now, restsUntil) + owed;
    owed = 0;
  }

  return {
    /** To be called after every small piece of work. Resolves early where the signal is aborted. */
    async rest(signal: AbortSignal): Promise<void> {
      const now = clock.monotonic();
      owe(now);
      if (restsUntil <= now) return await nextTurn();
      await clock.sleep(restsUntil - now, signal);
      workedAt = clock.monotonic();
    },
  };
}
