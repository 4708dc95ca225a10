import type { Clock } from './clock.ts';
import { rest, untilBeat } from './rest.ts';
import type { WriteNotices } from './write-notices.ts';

/**
 * Waiting for what is written to a SQLite file. Whoever waits is woken by a write of this process at once, and within
 * `pollMs` by one of another process: `PRAGMA data_version` says that something was committed. One loop looks for all
 * who wait, and stops with the last of them:
 *
 *   looking often, every `pollMs` --nothing is found, and notices are believed--> ever less often, at last every `restMs`
 *   looking less often --a notice, or something is found--> looking often
 *
 * A notice of an own write says nothing: what another process may have begun at the same moment is found by the next look.
 * A notice comes when a commit begins. Until it is over looking gets rarer by and by, so a commit that takes long is seen
 * late by no more than a few times what it took.
 */
export interface Arrivals extends Arriving {
  /** Wakes everybody who waits; where this process has written to one part of the file, those who wait for that or for all. */
  wake(part?: string): void;
  /** Of one part of the file. What another process writes may be any part, and counts as all of them. */
  of(part: string): Arriving;
}

export interface Arriving {
  /** Raised by every wake. Read it before looking for what is new, so that nothing slips in before the wait begins. */
  readonly generation: number;
  /** The same as a look at the file finds it: right also where nobody waits. */
  look(): number;
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
  /** null where it waits for all of them. */
  readonly part: string | null;
  /** By the time that the loop counts. */
  readonly until: number;
  /** Ends the wait, of which so much is left. */
  readonly end: (left: number) => void;
}

/** How seldom the file is looked at where nothing is noticed, in milliseconds. */
const REST_MS = 1000;
/** Where looks are rare, waits that would end within this time end together. */
const TOGETHER_MS = 100;
/** Each look that finds nothing makes the pause so many times longer. */
const SLOWER = 4;

export function createArrivals({ dataVersion, clock, pollMs, notices }: ArrivalsParts): Arrivals {
  const waiters = new Set<Waiter>();
  /** Wakes of everybody, and of those who wait for a part. */
  let ofAll = 0;
  const ofParts = new Map<string, number>();
  let seen = dataVersion();
  let pauseMs = pollMs;
  /** Time is counted in sleeps, so that no clock can prolong a wait: what was slept, and the sleep under way. */
  let slept = 0;
  let nap: Nap | null = null;
  let isListening = false;

  const counted = (): number =>
    slept + (nap ? Math.max(0, Math.min(nap.ms, clock.monotonic() - nap.began)) : 0);

  const leftOf = ({ until }: Waiter): number => Math.max(0, until - counted());

  const generationOf = (part: string | null): number =>
    ofAll +
    (part === null ? [...ofParts.values()].reduce((sum, one) => sum + one, 0) : (ofParts.get(part) ?? 0));

  const wake = (part?: string): void => {
    if (part === undefined) ofAll += 1;
    else ofParts.set(part, (ofParts.get(part) ?? 0) + 1);
    for (const waiter of waiters) {
      const isMeant = part === undefined || waiter.part === null || waiter.part === part;
      if (isMeant) waiter.end(leftOf(waiter));
    }
  };

  const lookSoon = (isOwn: boolean): void => {
    if (isOwn || pauseMs <= pollMs) return;
    nap?.end.abort(CALLED_OFF);
    pauseMs = pollMs;
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
    if (finds()) pauseMs = pollMs;
    else pauseMs = notices?.areBelieved ? Math.min(REST_MS, SLOWER * pauseMs) : pollMs;
  };

  /** Whether another connection has written since the last time; wakes everybody where it has. */
  const finds = (): boolean => {
    const version = changed(dataVersion);
    if (version === seen) return false;
    seen = version;
    wake();
    return true;
  };

  const arriving = (part: string | null): Arriving => ({
    get generation() {
      return generationOf(part);
    },
    look: () => {
      finds();
      return generationOf(part);
    },
    wait: (since, waitMs, signals) =>
      new Promise((resolve) => {
        if (since !== generationOf(part) || signals.some((signal) => signal.aborted)) {
          resolve(waitMs);
          return;
        }
        const waiter: Waiter = {
          part,
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
  });

  const all = arriving(null);
  return {
    get generation() {
      return all.generation;
    },
    look: () => all.look(),
    wait: (...given) => all.wait(...given),
    of: arriving,
    wake,
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
