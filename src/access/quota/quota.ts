import { randomBytes } from 'node:crypto';

import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Registry } from '../../platform/metrics.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { createStoreTime } from '../../stores/store-time.ts';
import { createNoticeBoard, QUOTA_NOTICES } from '../notices.ts';
import { keep, spend } from './allotment.ts';
import { type BatchOptions, countBatch, createCountedDocuments } from './batch.ts';
import { createBatcher } from './batcher.ts';
import { createCalls } from './calls.ts';
import { forgetUse, isKnownFull, leftOf, noteUse, QUOTA, type Counter } from './counter.ts';
import { createCounters } from './counters.ts';
import { createDays, dayAt, DAYS, secondsToMidnight, sweepQuota } from './days.ts';
import { createHolding } from './holding.ts';

/**
 * The daily quota: requests at a place of an account in a UTC day, by the store's clock. A key's requests are counted at
 * the place where it sits, together with those of the keys that sat there before it.
 *
 * A request is granted from what this process holds of the day: its share, which the store counts as taken before
 * anybody is granted from it. So no number of instances, crashes or lost answers grants more than the limit. Where
 * something is held, a request is granted at once. Where nothing is held, requests wait for a batch, which raises the
 * shares of all places in one write: by the requests that wait, and by an allotment of up to 20 more for a place that asks
 * again within minutes. What is given back goes into the allotment too. Where the day was full a moment ago, a request is
 * refused at once.
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
  /** Whether the store takes counts: one of nobody is written, and taken off again. Throws the store's errors. */
  probe(): Promise<void>;
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
  /** Where documents that are read and written are counted. */
  readonly metrics?: Registry;
}

/** A place that no account can have, so nothing of it is shown or shared. */
const NOBODY = 'readiness';

/** A store that is silent does not keep a process from ending: what is held is then lost to the day. */
const CLOSING_MS = 2000;

/** A quota on a documents store. */
export function createQuota(options: QuotaOptions): Quota {
  const { documents, clock, limit = DAILY_LIMIT, logger, metrics } = options;
  const board = createNoticeBoard(documents, clock, QUOTA_NOTICES);
  const writer = randomBytes(6).toString('hex');
  const time = createStoreTime(documents, clock);
  const counters = createCounters();
  let sweeping: Promise<void> | null = null;
  /** How often calls may have been missed. */
  let missed = 0;
  const days = createDays(documents, clock, sweep);
  const counted = metrics ? createCountedDocuments(metrics) : null;
  const batch: BatchOptions = { documents, clock, days, writer, limit, counted };
  const calls = createCalls(clock, board, logger);
  const batcher = createBatcher<Take>({
    clock,
    time,
    counters,
    async count(parts, now) {
      // What is held before the first look could be called for unheard.
      if (board.lookedAt === Number.NEGATIVE_INFINITY) await board.look();
      const missedBefore = missed;
      const counts = await countBatch(batch, parts, now);
      if (missed !== missedBefore) for (const { counter } of parts) counter.version = undefined;
      return counts;
    },
    mayReturn: (counter) => calls.mayReturn(counter),
    answer,
    touched(counter, hasSucceeded) {
      holding.used(counter);
      if (hasSucceeded) calls.settled(counter);
    },
  });
  const holding = createHolding({ clock, board, logger, flush: (counter) => batcher.flush(counter) });
  board.follow({
    told(ids) {
      for (const id of ids) {
        const counter = counters.find(id);
        if (counter) holding.called(counter);
      }
    },
    missed() {
      missed += 1;
      for (const counter of counters.all()) if (counter.unspent > 0) holding.doubted(counter);
    },
  });

  return {
    limit,

    async declare() {
      for (const collection of [QUOTA, DAYS, QUOTA_NOTICES]) await documents.declare(collection);
    },

    take,
    giveBack,

    async probe() {
      counters.of(NOBODY, dayAt(await time.now())).holdsNothing = true;
      await giveBack(await take(NOBODY, NOBODY));
    },

    async [Symbol.asyncDispose]() {
      const done = new AbortController();
      const closed = close().finally(() => done.abort());
      await Promise.race([closed, clock.sleep(CLOSING_MS, done.signal)]);
    },
  };

  async function take(place: string, keyId: string): Promise<Take> {
    const now = time.known() ?? (await time.now());
    const counter = counters.of(place, dayAt(now));
    if (spend(counter, now)) {
      noteUse(counter, keyId, now);
      holding.used(counter);
      return answer(counter, keyId, now);
    }
    return isKnownFull(counter, now) ? refusal(now) : await batcher.take(place, keyId);
  }

  async function giveBack(returned: Take): Promise<number> {
    if (!(returned instanceof Granted)) return returned.remaining;
    return await returned.giveBackBy(({ place, day, keyId }) => giveBackOnce(counters.of(place, day), keyId));
  }

  async function close(): Promise<void> {
    await batcher.close();
    const held = await holding.close();
    for (const counter of held) counter.holdsNothing = true;
    for (const result of await Promise.allSettled(held.map((counter) => batcher.flush(counter)))) {
      if (result.status === 'fulfilled') continue;
      logger?.warn({ reason: messageOf(result.reason) }, 'unspent requests could not be returned');
      break;
    }
    await sweeping;
  }

  function answer(counter: Counter, keyId: string | null, now: number): Take {
    if (keyId !== null) {
      const { place, day } = counter;
      return new Granted({ place, day, keyId }, limit, leftOf(counter, limit), secondsToMidnight(now));
    }
    counter.fullAt = now;
    return refusal(now);
  }

  function refusal(now: number): Take {
    return { granted: false, limit, remaining: 0, resetS: secondsToMidnight(now) };
  }

  async function giveBackOnce(counter: Counter, keyId: string): Promise<number> {
    const now = time.known();
    forgetUse(counter, keyId);
    counter.fullAt = Number.NEGATIVE_INFINITY;
    if (now === null || dayAt(now) !== counter.day || !keep(counter)) {
      counter.owed += 1;
      await batcher.flush(counter);
    }
    holding.used(counter);
    return leftOf(counter, limit);
  }

  /** In the background: what fails is left for the next day. */
  function sweep(): void {
    sweeping ??= sweepQuota(documents)
      .catch((thrown: unknown) => {
        logger?.warn({ reason: messageOf(thrown) }, 'old quota documents were not removed');
      })
      .finally(() => (sweeping = null));
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
