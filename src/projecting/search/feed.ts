import { note, problem } from '../../findings/finding.ts';
import { healthOf, type Health } from '../../findings/findings-to-health.ts';
import { backoff } from '../../platform/time/backoff.ts';
import { randomUUID } from 'node:crypto';

import { messageOf, PermanentError, RetryableError } from '../../platform/errors.ts';
import { Registry } from '../../platform/metrics.ts';
import {
  FEED_LEASES,
  type FeedLeaseOutcome,
  releaseFeedLease,
  takeFeedLease,
} from '../../stores/feed-lease.ts';
import { collectionOf, collectionSpec } from '../engine/projection.ts';
import { createRetry, StoppedError } from '../engine/retry.ts';
import { createSearchFeedMetrics } from './feed-metrics.ts';
import {
  createDue,
  DEFAULT_BOUNDS,
  type Due,
  type FeedContext,
  indexToFeed,
  newNonce,
  type SearchFeedBounds,
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

/** Keeps the search index of one projection as its documents say, until it is disposed. Any number may run at once. */
export class SearchFeed implements AsyncDisposable {
  /** Names this feeder in the lease. */
  readonly owner: string;
  readonly #context: FeedContext;
  readonly #bounds: SearchFeedBounds;
  readonly #stopping = new AbortController();
  readonly #renewal: Due;
  readonly #breathe: (signal: AbortSignal) => Promise<void>;
  #running: Promise<void> | null = null;
  #isPrepared = false;
  /** What it does while it has the lease. */
  #work: FeedWork | null = null;
  #trouble: Trouble | null = null;
  readonly #idle: ReturnType<typeof createIdleRest>;
  /** How far the store's clock is ahead of our monotonic one, in milliseconds. */
  #ahead = 0;

  constructor({
    bounds,
    metrics = createSearchFeedMetrics(new Registry()),
    random = Math.random,
    nonce = newNonce,
    owner = randomUUID(),
    breathe = async () => undefined,
    ...parts
  }: SearchFeedParts) {
    const { projection, clock, logger } = parts;
    const signal = this.#stopping.signal;
    this.owner = owner;
    this.#bounds = { ...DEFAULT_BOUNDS, ...bounds };
    this.#renewal = createDue(clock);
    this.#idle = createIdleRest({ ...this.#bounds, clock, signal });
    this.#breathe = breathe;
    this.#context = {
      ...parts,
      metrics,
      random,
      nonce,
      owner,
      collection: collectionOf(projection),
      index: indexToFeed(projection),
      retry: createRetry({ clock, logger, signal, random, firstMs: FIRST_PAUSE_MS }),
      freshMs: this.#bounds.confirmAfterMs / 6,
    };
  }

  /** Begins to feed, or to stand by. A failure is tried again and reported by `latest`; nothing is thrown. */
  start(): void {
    this.#running ??= this.#run();
  }

  latest(): SearchFeedHealth {
    const { index } = this.#context;
    const counts = this.#work?.counts() ?? null;
    const isFeeding = this.#work !== null;
    const idle = isFeeding ? 'starting' : 'standing by';
    const well = `${index}: ${counts ? `${counts.waiting} waiting, ${counts.refused} refused` : idle}`;
    const { kind = null, message: trouble = '' } = this.#trouble ?? {};
    const report = kind === 'fault' ? problem : note;
    const findings = kind === null ? [] : [report(index, null, { code: 'not_fed', why: 'trouble', trouble })];
    return { ...healthOf(findings, well), isFeeding, counts };
  }

  /** Something was written that it may have to send: it looks soon, however long it meant to rest. */
  nudge(): void {
    this.#idle.nudge();
  }

  /** Finishes the request in hand and lets another feeder have the lease. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#turn();
        this.#endTrouble();
      } catch (thrown) {
        if (thrown instanceof LeaseLost) await this.#lose(thrown.cause);
        else if (!(thrown instanceof StoppedError)) await this.#fail(thrown);
      }
    }
    await this.#leave();
  }

  async #turn(): Promise<void> {
    const { documents, projection, clock } = this.#context;
    const { leaseMs } = this.#bounds;
    if (!this.#isPrepared) {
      await documents.declare(FEED_LEASES);
      await documents.declare(collectionSpec(projection));
      this.#isPrepared = true;
    }
    if (this.#renewal.isDue()) await this.#renew();
    const work = this.#work;
    const kept = { ...this.#context, renewal: this.#renewal, prolong: () => this.#prolong() };
    const isBusy = work !== null && (await withLease(kept, () => work.turn()));
    if (isBusy) {
      this.#idle.shorten();
      return await this.#breathe(this.#stopping.signal);
    }
    if (this.#work) await this.#idle.take();
    else await clock.sleep(leaseMs / 3, this.#stopping.signal);
  }

  async #renew(): Promise<void> {
    const { index, logger } = this.#context;
    const leased = await this.#prolong();
    if (leased.outcome === 'taken') return await this.#lose();
    if (this.#work) return;
    const { behind_since: known, seal } = leased.lease;
    const left = { behindSince: known === null ? null : known - this.#ahead, seal };
    this.#work = createFeedWork(this.#context, this.#bounds, left);
    logger.info({ index }, 'search lease taken');
  }

  async #prolong(): Promise<FeedLeaseOutcome> {
    const { documents, index, clock } = this.#context;
    const { leaseMs } = this.#bounds;
    // Who has nothing under way knows no better than what the lease says.
    const behind = this.#work?.behindSince();
    const behindSince = typeof behind === 'number' ? Math.round(behind + this.#ahead) : behind;
    const leased = await takeFeedLease(documents, index, {
      owner: this.owner,
      leaseMs,
      behindSince,
      trouble: this.#trouble?.message ?? null,
      isRenewal: this.#work !== null,
    });
    this.#renewal.in(leaseMs / 3);
    if (leased.outcome === 'held') this.#ahead = leased.now - clock.monotonic();
    return leased;
  }

  /** `cause` is what failed meanwhile, if anything did: engines fail and leases are lost together. */
  async #lose(cause?: unknown): Promise<void> {
    const { index, logger } = this.#context;
    if (cause !== undefined && !(cause instanceof StoppedError)) this.#tell(cause, { index });
    if (this.#work) logger.info({ index }, 'search lease lost: another process has it, or had it meanwhile');
    await this.#letGo();
  }

  /** Closes what the work has open. Its numbers are now another feeder's to tell. */
  async #letGo(): Promise<void> {
    const { metrics, index } = this.#context;
    await this.#work?.recover();
    this.#work = null;
    for (const gauge of [metrics.waiting, metrics.refused, metrics.lastSuccess]) gauge.remove({ index });
  }

  async #fail(thrown: unknown): Promise<void> {
    const { index, clock, random } = this.#context;
    const kind = kindOf(thrown);
    const attempts = (this.#trouble?.attempts ?? 0) + 1;
    this.#trouble = { kind, message: messageOf(thrown), attempts };
    const firstMs = kind === 'retryable' ? FIRST_PAUSE_MS : LONGEST_PAUSE_MS;
    const pause = backoff(attempts, firstMs, LONGEST_PAUSE_MS, random);
    this.#tell(thrown, { index, attempts, pauseMs: Math.round(pause) });
    await this.#work?.recover();
    await clock.sleep(pause, this.#stopping.signal);
  }

  #tell(thrown: unknown, what: object): void {
    const { index, logger, metrics } = this.#context;
    const kind = kindOf(thrown);
    metrics.failures.inc({ index, kind });
    if (kind === 'fault') logger.error({ ...what, err: thrown }, 'the search feed has failed');
    else logger.warn({ ...what, reason: messageOf(thrown) }, 'the search index cannot be fed');
  }

  #endTrouble(): void {
    const { index, logger } = this.#context;
    if (this.#trouble)
      logger.info({ index, attempts: this.#trouble.attempts }, 'the search index is fed again');
    this.#trouble = null;
  }

  async #leave(): Promise<void> {
    const { documents, index, logger } = this.#context;
    const hadLease = this.#work !== null;
    await this.#letGo();
    try {
      if (hadLease) await releaseFeedLease(documents, index, this.owner);
    } catch (thrown) {
      logger.warn({ index, reason: messageOf(thrown) }, 'the search lease was not released: it runs out');
    }
  }
}

function kindOf(thrown: unknown): Trouble['kind'] {
  if (thrown instanceof RetryableError) return 'retryable';
  return thrown instanceof PermanentError ? 'permanent' : 'fault';
}
