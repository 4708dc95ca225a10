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
  // Not that of `node:timers/promises`, which makes an error, stack and all, of each sleep that is called off.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    }),
};

/**
 * Whether something confirmed at `at` still counts at `now`; both by `Clock.monotonic`. By the wall time, what was
 * confirmed before a clock was set back would be fresh again when that time returns.
 */
export function isFresh(at: number, now: number, forMs: number): boolean {
  return now - at < forMs;
}
