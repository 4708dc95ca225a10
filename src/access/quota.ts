import { randomBytes } from 'node:crypto';

import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Registry } from '../platform/metrics.ts';
import type { Documents } from '../stores/documents/port.ts';
import { leftOf, QUOTA, type Counter } from './quota-counter.ts';
import { createCounters } from './quota-counters.ts';
import { keep, spend } from './quota-lease.ts';
import { createQuotaMetrics } from './quota-metrics.ts';
import { countRound } from './quota-round.ts';
import { createRounds } from './quota-rounds.ts';
import { sweepQuota } from './quota-sweep.ts';
import { createTending } from './quota-tending.ts';
import { createStoreTime } from './store-time.ts';
import { DAY_MS, dayAt, secondsToMidnight } from './utc-day.ts';

/**
 * The daily quota: requests of a key in a UTC day, by the store's clock.
 *
 * A request is granted from what this process holds of the day: its share, which the store counts as taken before
 * anybody is granted from it. So no number of instances, crashes or lost answers grants more than the limit. Where
 * nothing is held, requests wait for a round, which raises the shares of all keys in one write: by the requests that
 * wait, and by a lease of up to 10 more where they come quickly. What is given back goes into the lease too.
 */
export interface Quota extends AsyncDisposable {
  /** Requests that a key may make in a day. */
  readonly limit: number;
  /** Declares the collection. Idempotent; before the first use of the others. */
  declare(): Promise<void>;
  /**
   * Counts a request, unless the day's limit is reached. Where it is, but other instances may still return what they
   * hold, this waits for them: up to 1.5 s.
   * @throws {RetryableError} where the store is down. The request may stay counted until the store is up again.
   */
  take(keyId: string): Promise<Take>;
  /**
   * Takes a request off the count of the day that it was counted on, and returns what is left of that day. Only once:
   * again is the same promise, and a take that was not granted has nothing to give back.
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

export interface QuotaOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  /** Requests per key and UTC day; `DAILY_LIMIT` where not given. */
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
  const metrics = options.metrics ? createQuotaMetrics(options.metrics) : null;
  const writer = randomBytes(6).toString('hex');
  const time = createStoreTime(documents, clock);
  const counters = createCounters();
  const grants = new WeakMap<Take, Grant>();
  const sweeps = new Set<Promise<void>>();
  const rounds = createRounds<Take>({
    clock,
    time,
    counters,
    count: (asked, moment) => countRound({ documents, clock, writer, limit, metrics }, asked, moment),
    answer,
    touched(counter, first, now) {
      tending.watch(counter);
      if (first) sweep(counter.key, dayAt(now - DAY_MS));
    },
  });
  const tending = createTending({ clock, time, logger, tell: (counter) => rounds.tell(counter) });

  return {
    limit,

    declare: () => documents.declare(QUOTA),

    take(keyId) {
      const now = time.known();
      if (now === null) return rounds.take(keyId);
      const counter = counters.of(keyId, dayAt(now));
      return spend(counter, now) ? Promise.resolve(answer(counter, true, now)) : rounds.take(keyId);
    },

    giveBack(take) {
      const grant = grants.get(take);
      if (!grant) return Promise.resolve(take.remaining);
      grant.returned ??= giveBackOnce(counters.of(grant.keyId, grant.day));
      return grant.returned;
    },

    async [Symbol.asyncDispose]() {
      const done = new AbortController();
      const closed = close().finally(() => done.abort());
      await Promise.race([closed, clock.sleep(CLOSING_MS, done.signal)]);
    },
  };

  async function close(): Promise<void> {
    await rounds.close();
    const held = await tending.close();
    for (const result of await Promise.allSettled(held.map((counter) => rounds.tell(counter)))) {
      if (result.status === 'fulfilled') continue;
      logger?.warn({ reason: messageOf(result.reason) }, 'unspent requests could not be returned');
    }
    await Promise.all(sweeps);
  }

  function answer(counter: Counter, granted: boolean, now: number): Take {
    const remaining = granted ? leftOf(counter, limit) : 0;
    const take = { granted, limit, remaining, resetS: secondsToMidnight(now) };
    if (granted) grants.set(take, { keyId: counter.key, day: counter.day });
    return take;
  }

  async function giveBackOnce(counter: Counter): Promise<number> {
    const now = time.known();
    if (now !== null && dayAt(now) === counter.day && keep(counter, now)) {
      tending.watch(counter);
    } else {
      counter.owed += 1;
      await rounds.tell(counter);
    }
    return leftOf(counter, limit);
  }

  /** In the background: what fails is left for the key's next day. */
  function sweep(key: string, keepFrom: string): void {
    const sweeping = sweepQuota(documents, key, keepFrom)
      .catch((thrown: unknown) => {
        logger?.warn({ keyId: key, reason: messageOf(thrown) }, 'old quota documents were not removed');
      })
      .finally(() => sweeps.delete(sweeping));
    sweeps.add(sweeping);
  }
}

/** What a granted take may still give back; `returned` once it has. */
interface Grant {
  readonly keyId: string;
  readonly day: string;
  returned?: Promise<number>;
}
