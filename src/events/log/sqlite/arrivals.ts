import type { Clock } from '../../../platform/clock.ts';

/**
 * Waiting for new records. A reader that waits is woken by an append of this process at once, and within `pollMs` by one of
 * another process: `PRAGMA data_version` says that something was committed. One loop polls for all who wait, and
 * stops with the last of them.
 */
export interface Arrivals {
  /** Raised by every wake. Read it before looking for records, so that nothing slips in before the wait begins. */
  readonly generation: number;
  /** Wakes everybody who waits. */
  wake(): void;
  /**
   * Waits for the first wake since `generation`, for `waitMs` at most, or until one of the signals is aborted.
   * Resolves with the time left of `waitMs`, 0 where it is over.
   */
  wait(generation: number, waitMs: number, signals: readonly AbortSignal[]): Promise<number>;
}

interface Waiter {
  left: number;
  readonly done: () => void;
}

export function createArrivals(dataVersion: () => number, clock: Clock, pollMs: number): Arrivals {
  const waiters = new Set<Waiter>();
  let generation = 0;
  let seen = dataVersion();
  let polling = false;

  const wake = (): void => {
    generation += 1;
    for (const waiter of waiters) waiter.done();
  };

  const poll = async (): Promise<void> => {
    polling = true;
    while (waiters.size > 0) {
      await clock.sleep(pollMs);
      look();
    }
    polling = false;
  };

  const look = (): void => {
    for (const waiter of waiters) {
      // Time is counted in polls, so that a clock that is set back prolongs no wait.
      waiter.left -= pollMs;
      if (waiter.left <= 0) waiter.done();
    }
    if (waiters.size === 0) return;
    const version = changed(dataVersion);
    if (version === seen) return;
    seen = version;
    wake();
  };

  return {
    get generation() {
      return generation;
    },
    wake,
    wait: (since, waitMs, signals) =>
      new Promise((resolve) => {
        if (since !== generation || signals.some((signal) => signal.aborted)) {
          resolve(waitMs);
          return;
        }
        const waiter: Waiter = {
          left: waitMs,
          done: () => {
            waiters.delete(waiter);
            for (const signal of signals) signal.removeEventListener('abort', waiter.done);
            resolve(Math.max(0, waiter.left));
          },
        };
        for (const signal of signals) signal.addEventListener('abort', waiter.done);
        waiters.add(waiter);
        if (!polling) void poll();
      }),
  };
}

/** A file that cannot be asked counts as changed: the reader that is woken meets the error where it is handled. */
function changed(dataVersion: () => number): number {
  try {
    return dataVersion();
  } catch {
    return Number.NaN;
  }
}
