import { randomBytes } from 'node:crypto';

import type { Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Documents } from '../stores/documents/port.ts';
import { QUOTA, type Counter } from './quota-counter.ts';
import { createCounters } from './quota-counters.ts';
import { createQueue, type Waiter } from './quota-queue.ts';
import { countRound, type Counted } from './quota-round.ts';
import { sweepQuota } from './quota-sweep.ts';
import { createStoreTime } from './store-time.ts';

/**
 * The daily quota: requests of a key in a UTC day, by the store's clock.
 *
 * Requests wait in a queue. One round at a time takes all that wait, of all keys, and counts them with one guarded
 * write for each key (a group commit). A request is granted when the write that counts it has been acknowledged, so no
 * number of instances, crashes or lost answers grants more than the limit. After a conflict the requests wait for the
 * next round.
 */
export interface Quota extends AsyncDisposable {
  /** Requests that a key may make in a day. */
  readonly limit: number;
  /** Declares the collection. Idempotent; before the first use of the others. */
  declare(): Promise<void>;
  /**
   * Counts a request, unless the day's limit is reached.
   * @throws {RetryableError} where the store is down. The request may stay counted until the key's next one.
   */
  take(keyId: string): Promise<Take>;
  /**
   * Takes a request off the count of the day that it was counted on, and returns what is left of that day. Only once:
   * again is the same promise, and a take that was not granted has nothing to give back.
   * @throws {RetryableError} where the store is down. It is then given back together with the key's next request.
   */
  giveBack(take: Take): Promise<number>;
  /** Waits for what is under way. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Take {
  readonly granted: boolean;
  readonly limit: number;
  /** Requests left in the day after this one. */
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
}

/** A quota on a documents store. */
export function createQuota({ documents, clock, limit = DAILY_LIMIT, logger }: QuotaOptions): Quota {
  const storeTime = createStoreTime(documents, clock);
  const writer = randomBytes(6).toString('hex');
  const counters = createCounters();
  const takes = createQueue<string, Take>();
  const returns = createQueue<Counter, number>();
  const grants = new WeakMap<Take, Grant>();
  const sweeps = new Set<Promise<void>>();
  let rounds: Promise<void> | null = null;

  return {
    limit,

    declare: () => documents.declare(QUOTA),

    take(keyId) {
      startRounds();
      return takes.add(keyId);
    },

    giveBack(take) {
      const grant = grants.get(take);
      if (!grant) return Promise.resolve(take.remaining);
      grant.returned ??= giveBackOnce(counters.of(grant.keyId, grant.day));
      return grant.returned;
    },

    async [Symbol.asyncDispose]() {
      await rounds;
      await Promise.all(sweeps);
    },
  };

  function giveBackOnce(counter: Counter): Promise<number> {
    counter.owed += 1;
    startRounds();
    return returns.add(counter);
  }

  /** Not at once, so that what arrives in this turn of the event loop goes into the same round. */
  function startRounds(): void {
    rounds ??= new Promise((resolve) => setImmediate(() => resolve(runRounds())));
  }

  async function runRounds(): Promise<void> {
    while (!takes.isEmpty() || !returns.isEmpty()) await runRound();
    rounds = null;
  }

  async function runRound(): Promise<void> {
    const [taking, returning] = [takes.drain(), returns.drain()];
    try {
      const now = await storeTime();
      const parts = partsOf(taking, returning, dayAt(now));
      const results = await countRound({ documents, clock, writer, limit }, parts);
      for (const [index, part] of parts.entries()) answer(part, results[index], now);
    } catch (thrown) {
      for (const waiter of [...taking.values(), ...returning.values()].flat()) waiter.reject(thrown);
    }
    counters.forgetOld();
  }

  function partsOf(
    taking: ReadonlyMap<string, readonly Waiter<Take>[]>,
    returning: ReadonlyMap<Counter, readonly Waiter<number>[]>,
    today: string,
  ): readonly Part[] {
    const parts = new Map<Counter, Part>();
    for (const [counter, waiting] of returning) {
      parts.set(counter, { counter, requests: 0, takes: [], returns: waiting });
    }
    for (const [keyId, waiting] of taking) {
      const counter = counters.of(keyId, today);
      const part = {
        counter,
        requests: waiting.length,
        takes: waiting,
        returns: returning.get(counter) ?? [],
      };
      parts.set(counter, part);
    }
    return [...parts.values()];
  }

  function answer(part: Part, result: Counted | undefined, now: number): void {
    const { counter } = part;
    if (result?.outcome !== 'counted') {
      takes.putBack(counter.key, part.takes);
      returns.putBack(counter, part.returns);
      return;
    }
    const { granted, remaining, first } = result;
    const resetS = secondsToMidnight(now);
    for (const [index, waiter] of part.takes.entries()) {
      const left = remaining + Math.max(0, granted - 1 - index);
      const take: Take = { granted: index < granted, limit, remaining: left, resetS };
      if (take.granted) grants.set(take, { keyId: counter.key, day: counter.day });
      waiter.resolve(take);
    }
    for (const waiter of part.returns) waiter.resolve(remaining);
    if (first) sweep(counter.key, dayAt(now - DAY_MS));
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

const DAY_MS = 86_400_000;

/** What a granted take may still give back; `returned` once it has. */
interface Grant {
  readonly keyId: string;
  readonly day: string;
  returned?: Promise<number>;
}

interface Part {
  readonly counter: Counter;
  readonly requests: number;
  readonly takes: readonly Waiter<Take>[];
  readonly returns: readonly Waiter<number>[];
}

/** The UTC day of a Unix time in milliseconds, `YYYY-MM-DD`. */
function dayAt(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10);
}

function secondsToMidnight(unixMs: number): number {
  return Math.ceil((DAY_MS - (unixMs % DAY_MS)) / 1000);
}
