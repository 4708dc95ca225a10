import { setTimeout as delay } from 'node:timers/promises';

/** Time as a dependency, so that a test can pass its own. */
export interface Clock {
  /** Milliseconds since the Unix epoch; may jump, both ways, whenever the machine's clock is set. */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment, with fractions; never goes back and never jumps. For every age and every
   * deadline within a process, whose threads share it; means nothing to another process.
   */
  monotonic(): number;
  /** Resolves after `ms`, or as soon as `signal` is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now`, which begins again in each thread.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (thrown) {
      if (!signal?.aborted) throw thrown;
    }
  },
};

/**
 * Whether something confirmed at `at` still counts at `now`; both by `Clock.monotonic`. By the wall time, what was
 * confirmed before a clock was set back would be fresh again when that time returns.
 */
export function isFresh(at: number, now: number, forMs: number): boolean {
  return now - at < forMs;
}
