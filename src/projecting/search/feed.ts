import { note, problem } from '../../findings/finding.ts';
import { healthOf, type Health } from '../../findings/findings-to-readiness.ts';
import { backoff } from '../../platform/time/backoff.ts';
import { randomUUID } from 'node:crypto';

import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import { Registry } from '../../platform/metrics-registry.ts';
import { once } from '../../platform/once.ts';
import {
  FEED_LEASES,
  type FeedLeaseOutcome,
  releaseFeedLease,
  takeFeedLease,
} from '../../stores/feed-lease.ts';
import { collectionOf, collectionSpec } from '../engine/projection.ts';
import { createRetry, StoppedError } from '../engine/retry.ts';
import { withContentVersions } from './content-version.ts';
import { createSearchFeedMetrics } from './feed-metrics.ts';
import {
  createDue,
  DEFAULT_BOUNDS,
  type FeedContext,
  indexToFeed,
  newNonce,
  type SearchFeedParts,
} from './feed-context.ts';
import { createIdleRest } from './idle-rest.ts';
import { withLease } from './hold-lease.ts';
import { LeaseLost } from './seals.ts';
import { createFeedWork, type FeedCounts, type FeedWork } from './feed-work.ts';

/*
 * Feeds a search index from the marks on documents (src/stores/outbox.ts). The states of a feed:
 *
 *   standing by --the lease is free--> feeding --another feeder has taken the lease--> standing by
 *   feeding --a store fails--> failing: pauses, up to 4 s --> feeding
 *          '--no repetition helps--> broken: long pauses, so that it heals by itself once somebody has acted --> feeding
 *   any of them --disposed--> stopped, after the request in hand
 */

/** Pauses after failures, before they are drawn from their upper half: so there is at most one attempt a second. */
const FIRST_PAUSE_MS = 2000;
/** Shorter than the lease: a feeder that fails keeps it, and says there how long search has been behind. */
const LONGEST_PAUSE_MS = 4000;

/** `ok` is false for a fault of ours alone: while search is down, documents go on, and `detail` says so. */
interface SearchFeedHealth extends Health {
  readonly isFeeding: boolean;
  /** Documents that the index has still to be told of, and those that it refuses; null before they were counted. */
  readonly counts: FeedCounts | null;
}

interface Trouble {
  readonly kind: 'retryable' | 'permanent' | 'fault';
  readonly message: string;
  readonly attempts: number;
}

export type SearchFeed = ReturnType<typeof createSearchFeed>;

/** Keeps the search index of one projection as its documents say, until it is disposed. Any number may run at once. */
export function createSearchFeed({
  bounds: given,
  metrics = createSearchFeedMetrics(new Registry()),
  random = Math.random,
  nonce = newNonce,
  owner = randomUUID(),
  breathe = async () => undefined,
  ...parts
}: SearchFeedParts) {
  const { documents, projection, clock, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const bounds = { ...DEFAULT_BOUNDS, ...given };
  const { leaseMs } = bounds;
  const renewal = createDue(clock);
  const idle = createIdleRest({ ...bounds, clock, signal });
  const index = indexToFeed(projection);
  const retry = createRetry({ clock, logger, signal, random, firstMs: FIRST_PAUSE_MS });
  const context: FeedContext = {
    ...parts,
    search: withContentVersions(parts.search, { documents, index, nonce, retry }),
    metrics,
    random,
    nonce,
    owner,
    collection: collectionOf(projection),
    index,
    retry,
    freshMs: bounds.confirmAfterMs / 6,
  };
  const prepared = once(async () => {
    await documents.declare(FEED_LEASES);
    await documents.declare(collectionSpec(projection));
  });
  let running: Promise<void> | null = null;
  /** What it does while it has the lease. */
  let work: FeedWork | null = null;
  let trouble: Trouble | null = null;
  /** How far the store's clock is ahead of our monotonic one, in milliseconds. */
  let ahead = 0;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await turn();
        if (trouble) logger.info({ index, attempts: trouble.attempts }, 'the search index is fed again');
        trouble = null;
      } catch (thrown) {
        if (thrown instanceof LeaseLost) await lose(thrown.cause);
        else if (!(thrown instanceof StoppedError)) await fail(thrown);
      }
    }
    await leave();
  }

  async function turn(): Promise<void> {
    await prepared();
    if (renewal.isDue()) await renew();
    const current = work;
    const isBusy =
      current !== null && (await withLease({ ...context, renewal, prolong }, () => current.turn()));
    if (isBusy) {
      idle.shorten();
      return await breathe(signal);
    }
    if (work) await idle.take();
    else await clock.sleep(leaseMs / 3, signal);
  }

  async function renew(): Promise<void> {
    const leased = await prolong();
    if (leased.outcome === 'taken') return await lose();
    if (work) return;
    const { behind_since: known, seal } = leased.lease;
    work = createFeedWork(context, bounds, { behindSince: known === null ? null : known - ahead, seal });
    logger.info({ index }, 'search lease taken');
  }

  async function prolong(): Promise<FeedLeaseOutcome> {
    // Who has nothing under way knows no better than what the lease says.
    const behind = work?.behindSince();
    const leased = await takeFeedLease(documents, index, {
      owner,
      leaseMs,
      behindSince: typeof behind === 'number' ? Math.round(behind + ahead) : behind,
      trouble: trouble?.message ?? null,
      isRenewal: work !== null,
    });
    renewal.in(leaseMs / 3);
    if (leased.outcome === 'held') ahead = leased.now - clock.monotonic();
    return leased;
  }

  /** `cause` is what failed meanwhile, if anything did: engines fail and leases are lost together. */
  async function lose(cause?: unknown): Promise<void> {
    if (cause !== undefined && !(cause instanceof StoppedError)) tell(cause, { index });
    if (work) logger.info({ index }, 'search lease lost: another process has it, or had it meanwhile');
    await letGo();
  }

  /** Closes what the work has open. Its numbers are now another feeder's to tell. */
  async function letGo(): Promise<void> {
    await work?.recover();
    work = null;
    for (const gauge of [metrics.waiting, metrics.refused, metrics.lastSuccess]) gauge.remove({ index });
  }

  async function fail(thrown: unknown): Promise<void> {
    const kind = kindOf(thrown);
    const attempts = (trouble?.attempts ?? 0) + 1;
    trouble = { kind, message: messageOf(thrown), attempts };
    const firstMs = kind === 'retryable' ? FIRST_PAUSE_MS : LONGEST_PAUSE_MS;
    const pause = backoff(attempts, firstMs, LONGEST_PAUSE_MS, random);
    tell(thrown, { index, attempts, pauseMs: Math.round(pause) });
    await work?.recover();
    await clock.sleep(pause, signal);
  }

  function tell(thrown: unknown, what: object): void {
    const kind = kindOf(thrown);
    metrics.failures.inc({ index, kind });
    if (kind === 'fault') logger.error({ ...what, err: thrown }, 'the search feed has failed');
    else logger.warn({ ...what, reason: messageOf(thrown) }, 'the search index cannot be fed');
  }

  async function leave(): Promise<void> {
    const hadLease = work !== null;
    await letGo();
    try {
      if (hadLease) await releaseFeedLease(documents, index, owner);
    } catch (thrown) {
      logger.warn({ index, reason: messageOf(thrown) }, 'the search lease was not released: it runs out');
    }
  }

  return {
    /** Names this feeder in the lease. */
    owner,
    /** Begins to feed, or to stand by. A failure is tried again and reported by `latest`; nothing is thrown. */
    start: (): void => void (running ??= run()),
    latest: (): SearchFeedHealth => {
      const counts = work?.counts() ?? null;
      const isFeeding = work !== null;
      const resting = isFeeding ? 'starting' : 'standing by';
      const well = `${index}: ${counts ? `${counts.waiting} waiting, ${counts.refused} refused` : resting}`;
      const { kind = null, message = '' } = trouble ?? {};
      const report = kind === 'fault' ? problem : note;
      const findings =
        kind === null ? [] : [report(index, null, { code: 'not_fed', why: 'trouble', trouble: message })];
      return { ...healthOf(findings, well), isFeeding, counts };
    },
    /** Something was written that it may have to send: it looks soon, however long it meant to rest. */
    nudge: idle.nudge,
    /** Finishes the request in hand and lets another feeder have the lease. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

function kindOf(thrown: unknown): Trouble['kind'] {
  if (thrown instanceof RetryableError) return 'retryable';
  return thrown instanceof PermanentError ? 'permanent' : 'fault';
}
