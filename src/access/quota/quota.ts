import { randomBytes } from 'node:crypto';

import type { Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Registry } from '../../platform/metrics.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { createCounters, isKnownFull, leftOf, noteUse, QUOTA, type Counter } from './counter.ts';
import { isRunningLow, keep, spend } from './allotment.ts';
import { countBatch, createStoreOperations } from './batch.ts';
import { createBatcher } from './batcher.ts';
import { dayAt, secondsToMidnight, sweepQuota } from './days.ts';
import { createFilling } from './filling.ts';
import { createRenewal } from './renewal.ts';
import { createStoreTime } from '../../stores/store-time.ts';

/**
 * The daily quota: requests at a place of an account in a UTC day, by the store's clock. A key's requests are counted at
 * the place where it sits, together with those of the keys that sat there before it.
 *
 * A request is granted from what this process holds of the day: its share, which the store counts as taken before
 * anybody is granted from it. So no number of instances, crashes or lost answers grants more than the limit. Where
 * something is held, a request is granted at once, and what runs low is filled up beside it (filling.ts). Where nothing is
 * held, requests wait for a batch, which raises the shares of all places in one write: by the requests that wait, and by
 * an allotment of up to 10 more where they come quickly. What is given back goes into the allotment too. Where the day was
 * full a moment ago, a request is refused at once.
 */
export interface Quota extends AsyncDisposable {
  /** Requests that a key may make in a day, where none has sat in its place before it. */
  readonly limit: number;
  /** Declares the collection. Idempotent; before the first use of the others. */
  declare(): Promise<void>;
  /**
   * Counts a request of a key at its place, unless the place's limit of the day is reached. Where it is, but other
   * instances may still return what they hold, this waits for them: up to 1.5 s.
   * @throws {RetryableError} where the store is down. The request may stay counted until the store is up again.
   */
  take(place: string, keyId: string): Promise<Take>;
  /**
   * Takes a request off the count of the day that it was counted on, and returns what is left of that day. Only once:
   * again changes nothing, and a take that was not granted has nothing to give back.
   * @throws {RetryableError} where the store is down. It is then given back when the store is up again.
   */
  giveBack(take: Take): Promise<number>;
  /** Waits for what is under way, and returns what is held unspent: 2 s at most. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Take {
  readonly granted: boolean;
  readonly limit: number;
  /** Requests left in the day after this one, as far as this instance knows; what others hold is not left. */
  readonly remaining: number;
  /** Whole seconds until 00:00 UTC, rounded up, at least 1. */
  readonly resetS: number;
}

export const DAILY_LIMIT = 1000;

interface QuotaOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  /** Requests per place and UTC day; `DAILY_LIMIT` where not given. */
  readonly limit?: number;
  readonly logger?: Logger | undefined;
  /** Where operations of the store are counted. */
  readonly metrics?: Registry;
}

/** A store that is silent does not keep a process from ending: what is held is then lost to the day. */
const CLOSING_MS = 2000;

/** A quota on a documents store. */
export function createQuota(options: QuotaOptions): Quota {
  const { documents, clock, limit = DAILY_LIMIT, logger } = options;
  const operations = options.metrics ? createStoreOperations(options.metrics) : null;
  const writer = randomBytes(6).toString('hex');
  const time = createStoreTime(documents, clock);
  const counters = createCounters();
  const sweeps = new Set<Promise<void>>();
  const batcher = createBatcher<Take>({
    clock,
    time,
    counters,
    count: (parts, moment) => countBatch({ documents, clock, writer, limit, operations }, parts, moment),
    answer,
    touched(counter, first) {
      renewal.watch(counter);
      if (first) sweep(counter.place);
    },
  });
  const renewal = createRenewal({ clock, time, logger, flush: (counter) => batcher.flush(counter) });
  const filling = createFilling(clock, isLow, (counter) => batcher.flush(counter));

  return {
    limit,

    declare: () => documents.declare(QUOTA),

    async take(place, keyId) {
      const now = time.known();
      if (now === null) return await batcher.take(place, keyId);
      const counter = counters.of(place, dayAt(now));
      const held = grant(counter, keyId, now);
      if (held) return held;
      return isKnownFull(counter, now) ? refusal(now) : await batcher.take(place, keyId);
    },

    async giveBack(take) {
      if (!(take instanceof Granted)) return take.remaining;
      return await take.giveBackBy(({ place, day, keyId }) => giveBackOnce(counters.of(place, day), keyId));
    },

    async [Symbol.asyncDispose]() {
      const done = new AbortController();
      const closed = close().finally(() => done.abort());
      await Promise.race([closed, clock.sleep(CLOSING_MS, done.signal)]);
    },
  };

  /** From what is held; null where nothing is. */
  function grant(counter: Counter, keyId: string, now: number): Take | null {
    if (!spend(counter, now)) return null;
    noteUse(counter, keyId, now, 1);
    if (isRunningLow(counter, now)) filling.add(counter);
    return answer(counter, keyId, now);
  }

  async function close(): Promise<void> {
    filling.close();
    await batcher.close();
    const held = await renewal.close();
    for (const result of await Promise.allSettled(held.map((counter) => batcher.flush(counter)))) {
      if (result.status === 'fulfilled') continue;
      logger?.warn({ reason: messageOf(result.reason) }, 'unspent requests could not be returned');
    }
    await Promise.all(sweeps);
  }

  function answer(counter: Counter, keyId: string | null, now: number): Take {
    if (keyId !== null) {
      const { place, day } = counter;
      return new Granted({ place, day, keyId }, limit, leftOf(counter, limit), secondsToMidnight(now));
    }
    counter.fullAt = now;
    return refusal(now);
  }

  function isLow(counter: Counter): boolean {
    const now = time.known();
    return now !== null && isRunningLow(counter, now);
  }

  function refusal(now: number): Take {
    return { granted: false, limit, remaining: 0, resetS: secondsToMidnight(now) };
  }

  async function giveBackOnce(counter: Counter, keyId: string): Promise<number> {
    const now = time.known();
    forgetUse(counter, keyId);
    if (now !== null && dayAt(now) === counter.day && keepAgain(counter, now)) return leftOf(counter, limit);
    counter.owed += 1;
    await batcher.flush(counter);
    return leftOf(counter, limit);
  }

  function forgetUse(counter: Counter, keyId: string): void {
    const use = counter.used.get(keyId);
    if (use) use.untold -= 1;
    counter.fullAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether it could be put back into what is held. */
  function keepAgain(counter: Counter, now: number): boolean {
    if (!keep(counter, now)) return false;
    renewal.watch(counter);
    return true;
  }

  /** In the background: what fails is left for the place's next day. */
  function sweep(place: string): void {
    const sweeping = sweepQuota(documents, place)
      .catch((thrown: unknown) => {
        logger?.warn({ place, reason: messageOf(thrown) }, 'old quota documents were not removed');
      })
      .finally(() => sweeps.delete(sweeping));
    sweeps.add(sweeping);
  }
}

/** What a request was counted by. */
interface CountedBy {
  readonly place: string;
  readonly day: string;
  readonly keyId: string;
}

/** Knows its own place and day, so that nothing has to be looked up for it. */
class Granted implements Take {
  readonly granted = true;
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
  readonly #by: CountedBy;
  #returned: Promise<number> | null = null;

  constructor(by: CountedBy, limit: number, remaining: number, resetS: number) {
    this.limit = limit;
    this.remaining = remaining;
    this.resetS = resetS;
    this.#by = by;
  }

  /** Gives it back where that has not been done yet. */
  giveBackBy(once: (by: CountedBy) => Promise<number>): Promise<number> {
    return (this.#returned ??= once(this.#by));
  }
}
