import type { Clock } from '../../../platform/time/clock.ts';

/**
 * Waiting for what is written to the log's file. Whoever waits is woken by a write of this process at once, and within
 * `pollMs` by one of another process: `PRAGMA data_version` says that something was committed. One loop looks for all
 * who wait, and ends with the last of them.
 */
export interface Waiting {
  /** Raised by every wake. Read it before looking for what is new, so that nothing slips in before the wait begins. */
  readonly generation: number;
  /** Wakes everybody who waits. */
  wake(): void;
  /**
   * Resolves at the first wake since `generation`, after `waitMs`, or as soon as one of the signals is aborted. True where
   * the time is over.
   */
  wait(generation: number, waitMs: number, signals: readonly AbortSignal[]): Promise<boolean>;
}

interface WaitingParts {
  /** Differs from its last answer where another connection has committed something since. */
  readonly dataVersion: () => number;
  readonly clock: Clock;
  readonly pollMs: number;
}

/** The longest time that a timer can be set to, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

export function createWaiting({ dataVersion, clock, pollMs }: WaitingParts): Waiting {
  let generation = 0;
  let seen = dataVersion();
  let woken = new AbortController();
  let waiters = 0;
  let isLooking = false;

  const wake = (): void => {
    generation += 1;
    woken.abort();
    woken = new AbortController();
  };

  const look = async (): Promise<void> => {
    isLooking = true;
    while (waiters > 0) {
      await clock.sleep(pollMs);
      const version = changed(dataVersion);
      if (version !== seen) wake();
      seen = version;
    }
    isLooking = false;
  };

  return {
    get generation() {
      return generation;
    },
    wake,
    wait: async (since, waitMs, signals) => {
      if (since !== generation) return false;
      const over = AbortSignal.any([woken.signal, ...signals]);
      waiters += 1;
      if (!isLooking) void look();
      await clock.sleep(Math.min(waitMs, LONGEST_MS), over);
      waiters -= 1;
      return !over.aborted;
    },
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
