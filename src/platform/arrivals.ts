import type { Clock } from './clock.ts';
import { BEAT_MS, rest, untilBeat } from './rest.ts';
import type { WriteNotices } from './write-notices.ts';

/**
 * Waiting for what is written to a SQLite file. Whoever waits is woken by a write of this process at once, and within
 * `pollMs` by one of another process: `PRAGMA data_version` says that something was committed. One loop looks for all
 * who wait, and stops with the last of them:
 *
 *   looking often, every `pollMs` --nothing is found, and notices are believed--> ever less often, at last every `restMs`
 *   looking less often --a notice, or something is found--> looking often
 *   looking less often --a notice of an own write--> one look soon, for what another process may have begun at the same moment
 *
 * A notice comes when a commit begins. Until it is over looking gets rarer by and by, so a commit that takes long is seen
 * late by no more than a few times what it took.
 */
export interface Arrivals {
  /** Raised by every wake. Read it before looking for what is new, so that nothing slips in before the wait begins. */
  readonly generation: number;
  /** Wakes everybody who waits. */
  wake(): void;
  /**
   * Waits for the first wake since `generation`, for `waitMs` at most, or until one of the signals is aborted.
   * Resolves with the time left of `waitMs`, 0 where it is over.
   */
  wait(generation: number, waitMs: number, signals: readonly AbortSignal[]): Promise<number>;
}

export interface ArrivalsParts {
  /** Differs from its last answer where another connection has committed something since. */
  readonly dataVersion: () => number;
  readonly clock: Clock;
  readonly pollMs: number;
  /** Of the file; without them it is looked at every `pollMs`. */
  readonly notices?: WriteNotices;
}

interface Waiter {
  /** By the time that the loop counts. */
  readonly until: number;
  /** Ends the wait, of which so much is left. */
  readonly end: (left: number) => void;
}

/** How seldom the file is looked at where nothing is noticed, in milliseconds. */
const REST_MS = 1000;
/** Where looks are rare, waits that would end within this time end together. */
const TOGETHER_MS = 100;
/** When a file is looked at once where nobody but this process is known to have written to it. */
const OWN_MS = BEAT_MS;
/** Each look that finds nothing makes the pause so many times longer. */
const SLOWER = 4;

export function createArrivals({ dataVersion, clock, pollMs, notices }: ArrivalsParts): Arrivals {
  const waiters = new Set<Waiter>();
  let generation = 0;
  let seen = dataVersion();
  let pauseMs = pollMs;
  /** Time is counted in sleeps, so that no clock can prolong a wait: what was slept, and the sleep under way. */
  let slept = 0;
  let nap: Nap | null = null;
  let isListening = false;

  const counted = (): number =>
    slept + (nap ? Math.max(0, Math.min(nap.ms, clock.monotonic() - nap.began)) : 0);

  const leftOf = ({ until }: Waiter): number => Math.max(0, until - counted());

  const wake = (): void => {
    generation += 1;
    for (const waiter of waiters) waiter.end(leftOf(waiter));
  };

  const lookSoon = (isOwn: boolean): void => {
    const soonMs = isOwn ? OWN_MS : pollMs;
    if (pauseMs <= soonMs) return;
    nap?.end.abort(CALLED_OFF);
    pauseMs = soonMs;
  };

  const poll = async (): Promise<void> => {
    if (!isListening) notices?.listen(lookSoon);
    isListening = true;
    while (waiters.size > 0) {
      const first = Math.min(...[...waiters].map(({ until }) => until)) - slept;
      const pause = Math.max(pollMs, Math.min(pauseMs, first));
      const ms = untilBeat(clock, pause);
      nap = { ms, began: clock.monotonic(), end: new AbortController() };
      await rest(clock, pause, nap.end.signal);
      const isOver = !nap.end.signal.aborted;
      slept = isOver ? slept + ms : counted();
      nap = null;
      if (isOver) look();
    }
  };

  const look = (): void => {
    const soon = slept + (pauseMs > pollMs ? TOGETHER_MS : 0);
    // What would be left of such a wait is not waited for: that would be a wake-up more.
    for (const waiter of waiters) if (waiter.until <= soon) waiter.end(0);
    const version = changed(dataVersion);
    if (version === seen) {
      pauseMs = notices?.areBelieved ? Math.min(REST_MS, SLOWER * pauseMs) : pollMs;
      return;
    }
    seen = version;
    pauseMs = pollMs;
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
          until: counted() + untilBeat(clock, waitMs),
          end: (left) => {
            waiters.delete(waiter);
            for (const signal of signals) signal.removeEventListener('abort', callOff);
            resolve(left);
            // Nobody is kept from ending by a sleep that nobody needs.
            if (waiters.size === 0) nap?.end.abort(CALLED_OFF);
          },
        };
        const callOff = (): void => waiter.end(leftOf(waiter));
        for (const signal of signals) signal.addEventListener('abort', callOff);
        waiters.add(waiter);
        if (!nap) void poll();
        else if (waiter.until + TOGETHER_MS < slept + nap.ms) nap.end.abort(CALLED_OFF);
      }),
  };
}

/** Given, because the reason that a controller makes by itself takes the stack. */
const CALLED_OFF = 'called off';

/** A sleep of the loop. */
interface Nap {
  readonly ms: number;
  readonly began: number;
  readonly end: AbortController;
}

/** A file that cannot be asked counts as changed: the reader that is woken meets the error where it is handled. */
function changed(dataVersion: () => number): number {
  try {
    return dataVersion();
  } catch {
    return Number.NaN;
  }
}
