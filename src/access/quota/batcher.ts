import type { Clock } from '../../platform/clock.ts';
import { noteUse, type Counter } from './counter.ts';
import type { Counters } from './counters.ts';
import { spend } from './allotment.ts';
import { createQueue, type Waiter } from './queue.ts';
import type { Asked, Counted, Moment } from './batch.ts';
import type { StoreTime } from '../../stores/store-time.ts';
import { dayAt } from '../utc-day.ts';

/**
 * Those who need the store wait in a queue. One batch at a time takes all that wait, of all places (a group commit).
 * After a conflict they wait for the next batch. Where the day is taken but others may still return something of it,
 * they wait a little longer.
 */
export interface Batcher<Take> {
  /** Resolves when the request has been granted or refused. */
  take(place: string, keyId: string): Promise<Take>;
  /** Resolves when the store has what the counter says. */
  flush(counter: Counter): Promise<void>;
  /** From now on nothing is held unspent, and nobody waits for others. Resolves when nothing is under way. */
  close(): Promise<void>;
}

export interface BatcherOptions<Take> {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly counters: Counters;
  readonly count: (asked: readonly Asked[], moment: Moment) => Promise<readonly Counted[]>;
  /** The answer to a request, at the store's time `now`. */
  readonly answer: (counter: Counter, granted: boolean, now: number) => Take;
  /** A counter was in a batch that succeeded (`first`: it made the day's document) or failed. */
  readonly touched: (counter: Counter, first: boolean, now: number) => void;
}

/** How long to wait before polling again whether others have returned something. */
const POLL_MS = 25;

interface Part<Take> extends Asked {
  readonly takes: readonly Waiter<Take>[];
  readonly flushes: readonly Waiter<void>[];
}

export function createBatcher<Take>(options: BatcherOptions<Take>): Batcher<Take> {
  const { clock, time, counters, count, answer, touched } = options;
  const takes = createQueue<string, Take>();
  const flushes = createQueue<Counter, void>();
  /** Keys that wait to be noted where their place is counted. */
  const asking = new Map<string, Set<string>>();
  const awaitingReturns = createQueue<string, Take>();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  let polling: Promise<void> | null = null;

  return {
    take(place, keyId) {
      start();
      const keys = asking.get(place) ?? new Set();
      asking.set(place, keys.add(keyId));
      return takes.add(place);
    },

    flush(counter) {
      start();
      return flushes.add(counter);
    },

    async close() {
      closing.abort();
      await polling;
      await running;
    },
  };

  /** Not at once, so that what arrives in this turn of the event loop goes into the same batch. */
  function start(): void {
    running ??= new Promise((resolve) => setImmediate(() => resolve(runAll())));
  }

  async function runAll(): Promise<void> {
    while (!takes.isEmpty() || !flushes.isEmpty()) await run();
    running = null;
  }

  async function run(): Promise<void> {
    const [taking, flushing] = [takes.drain(), flushes.drain()];
    let parts: readonly Part<Take>[] = [];
    try {
      const now = await time.now();
      parts = partsOf(taking, flushing, now);
      const results = await count(parts, { now, closing: closing.signal.aborted });
      // The store may have been slow, or the process may have stood still: a day may have begun.
      const answeredAt = await time.now();
      for (const [index, part] of parts.entries()) settle(part, results[index], answeredAt);
    } catch (thrown) {
      for (const waiter of [...taking.values(), ...flushing.values()].flat()) waiter.reject(thrown);
      for (const { counter } of parts) touched(counter, false, 0);
    }
    counters.forgetOld();
  }

  function partsOf(
    taking: ReadonlyMap<string, readonly Waiter<Take>[]>,
    flushing: ReadonlyMap<Counter, readonly Waiter<void>[]>,
    now: number,
  ): readonly Part<Take>[] {
    const parts = new Map<Counter, Part<Take>>();
    for (const [counter, waiting] of flushing) {
      parts.set(counter, { counter, requests: 0, takes: [], flushes: waiting });
    }
    for (const [place, waiting] of taking) {
      const counter = counters.of(place, dayAt(now));
      for (const keyId of asking.get(place) ?? []) noteUse(counter, keyId, now);
      asking.delete(place);
      const flushedWith = flushing.get(counter) ?? [];
      parts.set(counter, { counter, requests: waiting.length, takes: waiting, flushes: flushedWith });
    }
    return [...parts.values()];
  }

  function settle(part: Part<Take>, result: Counted | undefined, now: number): void {
    const { counter } = part;
    if (result?.outcome !== 'counted') {
      takes.putBack(counter.place, part.takes);
      flushes.putBack(counter, part.flushes);
      return;
    }
    const isToday = dayAt(now) === counter.day;
    const rest: Waiter<Take>[] = [];
    for (const waiter of part.takes) {
      if (isToday && spend(counter, now)) waiter.resolve(answer(counter, true, now));
      else rest.push(waiter);
    }
    for (const waiter of part.flushes) waiter.resolve();
    if (!isToday || !result.isFull) takes.putBack(counter.place, rest);
    else if (counter.othersUntil > now && !closing.signal.aborted) awaitReturns(counter.place, rest);
    else for (const waiter of rest) waiter.resolve(answer(counter, false, now));
    touched(counter, result.first, now);
  }

  function awaitReturns(place: string, waiters: readonly Waiter<Take>[]): void {
    awaitingReturns.putBack(place, waiters);
    polling ??= clock.sleep(POLL_MS, closing.signal).then(poll);
  }

  function poll(): void {
    polling = null;
    for (const [place, waiters] of awaitingReturns.drain()) takes.putBack(place, waiters);
    start();
  }
}
