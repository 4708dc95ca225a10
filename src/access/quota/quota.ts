import type { Clock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { changeDocument } from '../../stores/documents/change-document.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { createStoreTime } from '../../stores/store-time.ts';
import { followNotices, postNotice, QUOTA_NOTICES } from '../instance-notices.ts';
import { REMEMBERED } from '../keys/check-key.ts';
import { isPending, spend, takeBack } from './allotment.ts';
import { createBatchCount } from './count-batch.ts';
import { createRecalls } from './allotment-recalls.ts';
import { leftOf, type Counter, NONE, type KeyRequest } from './local-counter.ts';
import { idOf, QUOTA, type QuotaDay } from './quota-day-document.ts';
import { createDays, DAYS } from './ended-days.ts';
import { dayAt, minuteAt, secondsToMidnight } from './utc-day.ts';
import { createGroupCommit } from './group-commit.ts';
import { createReturns } from './allotment-returns.ts';
import { createRememberedCounters } from './remembered-counters.ts';

export type Quota = ReturnType<typeof createQuota>;

export interface QuotaResult {
  readonly granted: boolean;
  readonly limit: number;
  /** Requests left in the day after this one, as far as this instance knows; what others hold is not left. */
  readonly remaining: number;
  /** Whole seconds until 00:00 UTC, rounded up, at least 1. */
  readonly resetS: number;
  /** For `giveBack` alone, where it was granted. */
  readonly grant?: Grant;
}

export const DAILY_LIMIT = 1000;

interface QuotaOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  /** Requests per place and UTC day; `DAILY_LIMIT` where not given. */
  readonly limit?: number;
  readonly logger?: Logger | undefined;
  /** So many counters, those that were used last: beyond them what is held goes back. `REMEMBERED` where not given. */
  readonly remembered?: number;
}

/** A place that no account can have, so nothing of it is shown or shared. */
const NOBODY = 'readiness';

/** A store that is silent does not keep a process from ending: what is held is then lost to the day. */
const CLOSING_MS = 2000;
/** For how long a refusal stands without asking the store again: others may give something back meanwhile. */
const REFUSED_FOR_MS = 1000;
/** How long to wait before asking again whether others have returned something. */
const POLL_MS = 25;
/** Longer than others have to return something: they could not even be called. */
const LONGEST_WAIT_MS = 5000;

/**
 * The daily quota: requests at a place of an account in a UTC day, by the store's clock. A key's requests are counted at
 * the place where it sits, together with those of the keys that sat there before it.
 *
 * A request is granted from this process's share of the day, which the store counts as taken before anybody is granted from
 * it. So no number of instances, crashes or lost answers grants more than the limit. Where something of the share is left
 * (allotment.ts), a request is granted at once. Otherwise it waits for a batch, which raises the shares of all places in one
 * write (count-batch.ts). Where the day was full a moment ago, it is refused at once.
 */
export function createQuota(options: QuotaOptions) {
  const { documents, clock, limit = DAILY_LIMIT, logger, remembered = REMEMBERED } = options;
  const time = createStoreTime(documents, clock);
  /** The batch under way: what comes of it is still to be noted there. */
  let counted: ReadonlySet<Counter> = new Set();
  const counters = createRememberedCounters(remembered, (counter) => counted.has(counter));
  const closing = new AbortController();
  /** One pause for all that wait for what others may return. */
  let pause: Promise<void> | null = null;
  /** How often calls may have been missed. */
  let missed = 0;
  const days = createDays(documents, clock, logger);
  const countBatch = createBatchCount(documents, clock, days, limit);
  const notices = followNotices(documents, clock, QUOTA_NOTICES, {
    told(ids) {
      for (const id of ids) {
        const counter = counters.get(id);
        if (counter) returns.called(counter);
      }
    },
    missed() {
      missed += 1;
      returns.doubted();
    },
  });
  const calls = createRecalls(clock, (about) => postNotice(documents, QUOTA_NOTICES, about), logger);
  const commit = createGroupCommit(count);
  const returns = createReturns(clock, notices.look, logger, flush, remembered);

  return {
    /** Requests that a key may make in a day, where none has sat in its place before it. */
    limit,

    /** Declares the collections. Idempotent; before the first use of the others. */
    async declare(): Promise<void> {
      for (const collection of [QUOTA, DAYS, QUOTA_NOTICES]) await documents.declare(collection);
    },

    /**
     * Counts a request of a key at its place, unless the place's limit of the day is reached. Where it is, but other
     * instances may still return what they hold, this waits for them: up to 1.5 s.
     * @throws {RetryableError} where the store is down. The request may stay counted until the store is up again.
     */
    async take(place: string, keyId: string): Promise<QuotaResult> {
      const since = clock.monotonic();
      for (;;) {
        const now = time.known() ?? (await time.now());
        const counter = counters.of(place, dayAt(now));
        const at = clock.monotonic();
        if (spend(counter, keyId, minuteAt(now), at)) {
          returns.used(counter);
          const remaining = leftOf(counter, limit);
          const grant: Grant = { counter, keyId };
          return { granted: true, limit, remaining, resetS: secondsToMidnight(now), grant };
        }
        // It was full a moment ago: there is no need to ask.
        if (counter.fullAt !== null && at - counter.fullAt < REFUSED_FOR_MS) {
          if (closing.signal.aborted || !calls.mayReturn(counter))
            return { granted: false, limit, remaining: 0, resetS: secondsToMidnight(now) };
          if (at - since >= LONGEST_WAIT_MS)
            throw new RetryableError(
              'Others could not be asked for what they hold of a day that is nearly full.',
            );
          await (pause ??= clock.sleep(POLL_MS, closing.signal).finally(() => (pause = null)));
        }
        await wait(counters.of(place, counter.day), { keyId, minute: minuteAt(now) });
      }
    },

    /**
     * Takes a request off the count of the day that it was counted on, and returns what is left of that day. Only once:
     * again changes nothing, and a take that was not granted has nothing to give back.
     * @throws {RetryableError} where the store is down. It is then given back when the store is up again.
     */
    async giveBack(take: QuotaResult): Promise<number> {
      const { grant } = take;
      return grant ? await (grant.returned ??= giveBackOnce(grant)) : take.remaining;
    },

    /** Whether the store takes counts: a day of nobody is written, by the way of every count. Throws the store's errors. */
    async probe(): Promise<void> {
      const nobody: QuotaDay = { place: NOBODY, day: dayAt(await time.now()), shares: {}, uses: {} };
      await days.enter(nobody.day);
      await changeDocument<QuotaDay>(documents, QUOTA.name, idOf(nobody), () => nobody);
    },

    /** Waits for what is under way, and returns what is held unspent: 2 s at most. */
    async [Symbol.asyncDispose](): Promise<void> {
      closing.abort();
      const done = new AbortController();
      // What is counted at the end may begin a day, and the removal of old ones with it.
      const closed = returns
        .close()
        .then(() => days[Symbol.asyncDispose]())
        .finally(() => done.abort());
      await Promise.race([closed, clock.sleep(CLOSING_MS, done.signal)]);
    },
  };

  async function giveBackOnce({ counter: { place, day }, keyId }: Grant): Promise<number> {
    const counter = counters.of(place, day);
    takeBack(counter, keyId);
    returns.used(counter);
    if (isPending(counter)) await flush(counter);
    return leftOf(counter, limit);
  }

  /** Waits for the store, once. What the store then has of the request stands there together with its key. */
  async function wait(counter: Counter, asking: KeyRequest): Promise<void> {
    if (counter.waiting === NONE) counter.waiting = new Set();
    counter.waiting.add(asking);
    returns.used(counter);
    try {
      await commit(counter);
    } finally {
      counter.waiting.delete(asking);
      if (counter.waiting.size === 0) counter.waiting = NONE;
      returns.used(counter);
    }
  }

  /** Resolves when the store has what the counter says. */
  async function flush(counter: Counter): Promise<void> {
    do await commit(counter);
    while (isPending(counter));
  }

  async function count(asked: readonly Counter[]): Promise<void> {
    // One that was forgotten meanwhile was settled, and may have a successor: it has nothing to say.
    const batch = asked.filter(counters.has);
    counted = new Set(batch);
    try {
      // What is held before the first look could be called for unheard.
      if (notices.lookedAt === Number.NEGATIVE_INFINITY) await notices.look();
      const missedBefore = missed;
      await countBatch(batch, !closing.signal.aborted);
      if (missed !== missedBefore) for (const counter of batch) counter.version = undefined;
      calls.counted(batch);
    } finally {
      for (const counter of batch) returns.used(counter);
      counted = new Set();
    }
  }
}

/** What a request was counted by, and what came of giving it back, once. */
interface Grant {
  /** It may have a successor by now. */
  readonly counter: Counter;
  readonly keyId: string;
  returned?: Promise<number>;
}
