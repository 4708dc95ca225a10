import type { Clock } from '../../../platform/clock.ts';

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
/** Given, because the reason that a controller makes by itself takes the stack. */
const CALLED_OFF = 'called off';

export function createWaiting({ dataVersion, clock, pollMs }: WaitingParts): Waiting {
  const waiters = new Set<() => void>();
  let generation = 0;
  let seen = dataVersion();
  /** Ends the sleep of the loop; null while nobody waits. */
  let looking: AbortController | null = null;

  const wake = (): void => {
    generation += 1;
    for (const end of waiters) end();
  };

  const look = async (over: AbortController): Promise<void> => {
    while (!over.signal.aborted) {
      await clock.sleep(pollMs, over.signal);
      if (over.signal.aborted) return;
      const version = changed(dataVersion);
      if (version === seen) continue;
      seen = version;
      wake();
    }
  };

  return {
    get generation() {
      return generation;
    },
    wake,
    wait: async (since, waitMs, signals) => {
      if (since !== generation || signals.some(({ aborted }) => aborted)) return false;
      const over = new AbortController();
      const end = (): void => over.abort(CALLED_OFF);
      waiters.add(end);
      for (const signal of signals) signal.addEventListener('abort', end);
      if (looking === null) {
        looking = new AbortController();
        void look(looking);
      }
      await clock.sleep(Math.min(waitMs, LONGEST_MS), over.signal);
      waiters.delete(end);
      for (const signal of signals) signal.removeEventListener('abort', end);
      if (waiters.size === 0) {
        looking?.abort(CALLED_OFF);
        looking = null;
      }
      return !over.signal.aborted;
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
