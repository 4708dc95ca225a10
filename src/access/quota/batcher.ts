import type { Clock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { StoreTime } from '../../stores/store-time.ts';
import { spend } from './allotment.ts';
import type { Counted, Part } from './batch.ts';
import { forgetUse, noteUse, type Counter } from './counter.ts';
import type { Counters } from './counters.ts';
import { dayAt } from './days.ts';

/**
 * Requests that need the store wait. One batch at a time takes all that wait, of all places (a group commit). After a
 * conflict they wait for the next batch. Where the day is taken but others may still return something of it, they wait
 * a little longer.
 */
interface Batcher<Take> {
  /** Resolves when the request has been granted or refused. */
  take(place: string, keyId: string): Promise<Take>;
  /** Resolves when the store has what the counter says. */
  flush(counter: Counter): Promise<void>;
  /** From now on nobody waits for others. Resolves when nothing is under way. */
  close(): Promise<void>;
}

interface BatcherOptions<Take> {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly counters: Counters;
  readonly count: (parts: readonly Part[], now: number) => Promise<readonly Counted[]>;
  /** Whether others may still give something of the day back. */
  readonly mayReturn: (counter: Counter) => boolean;
  /** The answer to a request of a key at the store's time `now`; null where it is refused. */
  readonly answer: (counter: Counter, keyId: string | null, now: number) => Take;
  /** A counter was in a batch, which succeeded or failed. */
  readonly touched: (counter: Counter, hasSucceeded: boolean) => void;
}

/** How long to wait before asking again whether others have returned something. */
const POLL_MS = 25;
/** Longer than others have to return something: they could not even be called. */
const LONGEST_WAIT_MS = 5000;

interface WaitingPart<Take> extends Part {
  readonly takes: readonly Taker<Take>[];
  readonly flushes: readonly Waiter<void>[];
}

export function createBatcher<Take>(options: BatcherOptions<Take>): Batcher<Take> {
  const { clock, time, counters, count, mayReturn, answer, touched } = options;
  const takes: Waiting<string, Taker<Take>> = new Map();
  const flushes: Waiting<Counter, Waiter<void>> = new Map();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  /** Resolves when nobody waits for what others may return. */
  let polling: Promise<void> = Promise.resolve();

  return {
    take(place, keyId) {
      start();
      const { promise, resolve, reject } = Promise.withResolvers<Take>();
      waitIn(takes, place, { keyId, since: clock.monotonic(), resolve, reject });
      return promise;
    },

    flush(counter) {
      start();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waitIn(flushes, counter, { resolve, reject });
      return promise;
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
    while (takes.size > 0 || flushes.size > 0) await run();
    running = null;
  }

  async function run(): Promise<void> {
    const [taking, flushing] = [drain(takes), drain(flushes)];
    let parts: readonly WaitingPart<Take>[] = [];
    try {
      const now = await time.now();
      parts = partsOf(taking, flushing, now);
      const results = await count(parts, now);
      // The store may have been slow, or the process may have stood still: a day may have begun.
      const answeredAt = await time.now();
      for (const [index, part] of parts.entries()) settle(part, results[index], answeredAt);
    } catch (thrown) {
      for (const { counter, takes: taken } of parts) unnote(counter, taken);
      for (const waiter of [...taking.values(), ...flushing.values()].flat()) waiter.reject(thrown);
      // Where the store did not even tell the time, there are no parts: what a flush owes is still to be written.
      const failed = [...flushing.keys(), ...parts.map(({ counter }) => counter)];
      for (const counter of new Set(failed)) touched(counter, false);
    }
    counters.forgetOld();
  }

  function partsOf(
    taking: Waiting<string, Taker<Take>>,
    flushing: Waiting<Counter, Waiter<void>>,
    now: number,
  ): readonly WaitingPart<Take>[] {
    const parts = new Map<Counter, WaitingPart<Take>>();
    for (const [counter, waiters] of flushing) {
      parts.set(counter, { counter, requests: 0, takes: [], flushes: waiters });
    }
    for (const [place, waiters] of taking) {
      const counter = counters.of(place, dayAt(now));
      // What is granted stands in the document with the share that it is granted from.
      for (const { keyId } of waiters) noteUse(counter, keyId, now);
      const flushed = flushing.get(counter) ?? [];
      parts.set(counter, { counter, requests: waiters.length, takes: waiters, flushes: flushed });
    }
    return [...parts.values()];
  }

  function settle(part: WaitingPart<Take>, result: Counted | undefined, now: number): void {
    const { counter } = part;
    if (result?.outcome !== 'counted') {
      unnote(counter, part.takes);
      putBack(takes, counter.place, part.takes);
      putBack(flushes, counter, part.flushes);
      return;
    }
    const isToday = dayAt(now) === counter.day;
    const rest: Taker<Take>[] = [];
    for (const waiter of part.takes) {
      if (isToday && spend(counter, now)) waiter.resolve(answer(counter, waiter.keyId, now));
      else rest.push(waiter);
    }
    unnote(counter, rest);
    for (const waiter of part.flushes) waiter.resolve();
    if (rest.length > 0) {
      if (!isToday || !result.isFull) putBack(takes, counter.place, rest);
      else if (!closing.signal.aborted && mayReturn(counter)) awaitReturns(counter.place, rest);
      else for (const waiter of rest) waiter.resolve(answer(counter, null, now));
    }
    touched(counter, true);
  }

  function awaitReturns(place: string, takers: readonly Taker<Take>[]): void {
    const { waiters = [], late = [] } = Object.groupBy(takers, ({ since }) =>
      clock.monotonic() - since < LONGEST_WAIT_MS ? 'waiters' : 'late',
    );
    for (const { reject } of late)
      reject(
        new RetryableError('Others could not be asked for what they hold of a day that is nearly full.'),
      );
    if (waiters.length === 0) return;
    const again = clock.sleep(POLL_MS, closing.signal).then(() => {
      putBack(takes, place, waiters);
      start();
    });
    polling = Promise.all([polling, again]).then(() => undefined);
  }
}

/** These were not granted. */
function unnote(counter: Counter, takers: readonly { readonly keyId: string }[]): void {
  for (const { keyId } of takers) forgetUse(counter, keyId);
}

interface Waiter<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** A request of a key that waits. */
interface Taker<Take> extends Waiter<Take> {
  readonly keyId: string;
  /** Monotonic milliseconds. */
  readonly since: number;
}

/** Waiters by what they wait for, first come first. */
type Waiting<Key, One> = Map<Key, One[]>;

function waitIn<Key, One>(waiting: Waiting<Key, One>, key: Key, waiter: One): void {
  const others = waiting.get(key);
  if (others) others.push(waiter);
  else waiting.set(key, [waiter]);
}

/** Puts waiters back, in front of those that came meanwhile. */
function putBack<Key, One>(waiting: Waiting<Key, One>, key: Key, waiters: readonly One[]): void {
  if (waiters.length > 0) waiting.set(key, [...waiters, ...(waiting.get(key) ?? [])]);
}

function drain<Key, One>(waiting: Waiting<Key, One>): Waiting<Key, One> {
  const drained = new Map(waiting);
  waiting.clear();
  return drained;
}
