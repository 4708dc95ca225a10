import type { Clock } from '../../platform/clock.ts';
import { noteUse, type Counter } from './counter.ts';
import type { Counters } from './counters.ts';
import { spend } from './lease.ts';
import { createQueue, type Waiter } from './queue.ts';
import type { Asked, Counted, Moment } from './batch.ts';
import type { StoreTime } from '../../stores/store-time.ts';
import { dayAt } from '../utc-day.ts';

/**
 * Those who need the store wait in a queue. One round at a time takes all that wait, of all places (a group commit).
 * After a conflict they wait for the next round. Where the day is taken but others may still return something of it,
 * they wait a little longer.
 */
export interface Rounds<Take> {
  /** Resolves when the request has been granted or refused. */
  take(place: string, keyId: string): Promise<Take>;
  /** Resolves when the store has been told of the counter. */
  tell(counter: Counter): Promise<void>;
  /** From now on nothing is held unspent, and nobody waits for others. Resolves when nothing is under way. */
  close(): Promise<void>;
}

export interface RoundsOptions<Take> {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly counters: Counters;
  readonly count: (asked: readonly Asked[], moment: Moment) => Promise<readonly Counted[]>;
  /** The answer to a request, at the store's time `now`. */
  readonly answer: (counter: Counter, granted: boolean, now: number) => Take;
  /** A counter was in a round that succeeded (`first`: it made the day's document) or failed. */
  readonly touched: (counter: Counter, first: boolean, now: number) => void;
}

/** How long to wait before looking again whether others have returned something. */
const LOOK_AGAIN_MS = 25;

interface Part<Take> extends Asked {
  readonly takes: readonly Waiter<Take>[];
  readonly tells: readonly Waiter<void>[];
}

export function createRounds<Take>(options: RoundsOptions<Take>): Rounds<Take> {
  const { clock, time, counters, count, answer, touched } = options;
  const takes = createQueue<string, Take>();
  const tells = createQueue<Counter, void>();
  /** Keys that wait to be noted where their place is counted. */
  const asking = new Map<string, Set<string>>();
  const hopeful = createQueue<string, Take>();
  const closing = new AbortController();
  let rounds: Promise<void> | null = null;
  let looking: Promise<void> | null = null;

  return {
    take(place, keyId) {
      start();
      const keys = asking.get(place) ?? new Set();
      asking.set(place, keys.add(keyId));
      return takes.add(place);
    },

    tell(counter) {
      start();
      return tells.add(counter);
    },

    async close() {
      closing.abort();
      await looking;
      await rounds;
    },
  };

  /** Not at once, so that what arrives in this turn of the event loop goes into the same round. */
  function start(): void {
    rounds ??= new Promise((resolve) => setImmediate(() => resolve(runAll())));
  }

  async function runAll(): Promise<void> {
    while (!takes.isEmpty() || !tells.isEmpty()) await run();
    rounds = null;
  }

  async function run(): Promise<void> {
    const [taking, telling] = [takes.drain(), tells.drain()];
    let parts: readonly Part<Take>[] = [];
    try {
      const now = await time.now();
      parts = partsOf(taking, telling, now);
      const results = await count(parts, { now, closing: closing.signal.aborted });
      // The store may have been slow, or the process may have stood still: a day may have begun.
      const answeredAt = await time.now();
      for (const [index, part] of parts.entries()) settle(part, results[index], answeredAt);
    } catch (thrown) {
      for (const waiter of [...taking.values(), ...telling.values()].flat()) waiter.reject(thrown);
      for (const { counter } of parts) touched(counter, false, 0);
    }
    counters.forgetOld();
  }

  function partsOf(
    taking: ReadonlyMap<string, readonly Waiter<Take>[]>,
    telling: ReadonlyMap<Counter, readonly Waiter<void>[]>,
    now: number,
  ): readonly Part<Take>[] {
    const parts = new Map<Counter, Part<Take>>();
    for (const [counter, waiting] of telling) {
      parts.set(counter, { counter, requests: 0, takes: [], tells: waiting });
    }
    for (const [place, waiting] of taking) {
      const counter = counters.of(place, dayAt(now));
      for (const keyId of asking.get(place) ?? []) noteUse(counter, keyId, now);
      asking.delete(place);
      const told = telling.get(counter) ?? [];
      parts.set(counter, { counter, requests: waiting.length, takes: waiting, tells: told });
    }
    return [...parts.values()];
  }

  function settle(part: Part<Take>, result: Counted | undefined, now: number): void {
    const { counter } = part;
    if (result?.outcome !== 'counted') {
      takes.putBack(counter.place, part.takes);
      tells.putBack(counter, part.tells);
      return;
    }
    const isToday = dayAt(now) === counter.day;
    const rest: Waiter<Take>[] = [];
    for (const waiter of part.takes) {
      if (isToday && spend(counter, now)) waiter.resolve(answer(counter, true, now));
      else rest.push(waiter);
    }
    for (const waiter of part.tells) waiter.resolve();
    if (!isToday || !result.isFull) takes.putBack(counter.place, rest);
    else if (counter.othersUntil > now && !closing.signal.aborted) hope(counter.place, rest);
    else for (const waiter of rest) waiter.resolve(answer(counter, false, now));
    touched(counter, result.first, now);
  }

  function hope(place: string, waiters: readonly Waiter<Take>[]): void {
    hopeful.putBack(place, waiters);
    looking ??= clock.sleep(LOOK_AGAIN_MS, closing.signal).then(lookAgain);
  }

  function lookAgain(): void {
    looking = null;
    for (const [place, waiters] of hopeful.drain()) takes.putBack(place, waiters);
    start();
  }
}
