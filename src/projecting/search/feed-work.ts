import { countMarks } from '../../stores/outbox.ts';
import { renewContentVersion } from './content-version.ts';
import { createDue, type FeedContext } from './feed-context.ts';
import { createSealing } from './seals.ts';
import { confirmRemovals, sendWaiting } from './send-marked.ts';
import { retryRefused, sweep } from './sweep-index.ts';

/*
 * What the feeder of an index does, in turns of at most a page each:
 *
 *   sending     always: one pass through the marks after the other
 *   confirming  when a removal is old enough
 *   sweeping    at the beginning, every ten minutes, when the index was lost or replaced, and once what was under way
 *               at the beginning or at a failure has landed; a page of it after each pass
 *
 * A failure ends all three where they are. Each starts over: what it had not done is still marked, or differs.
 */

/** All in milliseconds. */
export interface WorkBounds {
  /** How often it looks whether the index is there at all. */
  readonly lookMs: number;
  /** How often the whole index is compared with the documents. */
  readonly sweepMs: number;
  /** How long after a removal a request from before it may still land. */
  readonly confirmAfterMs: number;
  /** How long changes of a complete index go on under one seal at most. */
  readonly sealMs: number;
}

/** What the feeder before has left. */
interface Left {
  /** What it knew of the index being behind. */
  readonly behindSince: number | null;
  /** The seal of the complete index; null during a backfill. */
  readonly seal: string | null;
}

export type FeedWork = ReturnType<typeof createFeedWork>;

export interface FeedCounts {
  readonly waiting: number;
  readonly refused: number;
}

/** Sealing takes at most a twentieth of the time, where that is not too seldom. */
const SEAL_COST_FACTOR = 20;

interface Pass {
  readonly task: AsyncGenerator<void, number>;
  readonly began: number;
  /** Whether everything that the index lacked was marked when it began. */
  readonly isWhole: boolean;
}

export function createFeedWork(
  context: FeedContext,
  { lookMs, sweepMs, confirmAfterMs, sealMs }: WorkBounds,
  { behindSince, seal }: Left,
) {
  const { documents, collection, index, clock, logger, metrics } = context;
  const sealing = createSealing(context, seal);
  const look = createDue(clock);
  const renewal = createDue(clock);
  const confirmation = createDue(clock);
  const regularSweep = createDue(clock);
  // Requests of the feeder before may still be under way.
  const lateSweep = createDue(clock);
  lateSweep.in(confirmAfterMs);

  let behind = behindSince;
  let counts: FeedCounts | null = null;
  /** Whether what was refused is to be tried again: by a new feeder, in a new index, and after every sweep. */
  let owesRetry = true;
  /** Whether a sweep has marked all that the index lacks since it was found missing or another. */
  let isMarked = false;
  /** Whether the index was changed since it was sealed. */
  let isChanged = false;
  let pass: Pass | null = null;
  let confirming: AsyncGenerator<void, number> | null = null;
  let sweeping: AsyncGenerator<void, void> | null = null;

  async function lookAtIndex(): Promise<void> {
    const found = await sealing.look();
    if (found === 'missing') {
      await beginBackfill();
      owesRetry = true;
      logger.info({ index }, 'search index made; it is filled from the documents');
    } else if (found === 'unknown') {
      await beginBackfill();
      logger.info({ index }, 'the search index is filled again from the beginning');
    } else if (found === 'another') {
      await beginBackfill();
      logger.warn(
        { index },
        'the search index is not the one that was left; it is filled from the documents',
      );
    }
    if (owesRetry) await retryRefused(context);
    owesRetry = false;
    await count();
    look.in(lookMs);
  }

  async function count(): Promise<void> {
    const { put, remove, refused } = await countMarks(documents, collection);
    counts = { waiting: put + remove, refused };
    metrics.waiting.set({ index }, counts.waiting);
    metrics.refused.set({ index }, refused);
  }

  async function beginBackfill(): Promise<void> {
    isMarked = false;
    behind ??= clock.monotonic();
    await sealing.begin();
    // A pass that has begun may have sent to the index before.
    await pass?.task.return(0);
    pass = null;
    await sweeping?.return();
    sweeping = null;
    regularSweep.in(0);
  }

  /** Ends a backfill, or seals what was changed. An index that has been lost meanwhile is looked at at once. */
  async function keepSealed(isWhole: boolean): Promise<void> {
    if (!sealing.isComplete()) {
      if (!isWhole) return;
      if (await sealing.complete()) isChanged = false;
      else look.in(0);
    } else if (isChanged && renewal.isDue()) {
      const began = clock.monotonic();
      if (await sealing.renew()) isChanged = false;
      else look.in(0);
      renewal.in(Math.min(sealMs, SEAL_COST_FACTOR * Math.max(0, clock.monotonic() - began)));
    }
  }

  /** Everything that was marked when a pass began has been sent when it ends. */
  async function send(): Promise<boolean> {
    pass ??= { task: sendWaiting(context), began: clock.monotonic(), isWhole: isMarked };
    const step = await pass.task.next();
    const hasSent = step.done !== true || step.value > 0;
    if (hasSent) {
      isChanged = true;
      behind ??= pass.began;
    }
    await keepSealed(step.done === true && pass.isWhole);
    if (step.done === true) {
      behind = hasSent ? pass.began : null;
      pass = null;
      metrics.lastSuccess.set({ index }, clock.now() / 1000);
      if (hasSent) await count();
    }
    return hasSent;
  }

  async function confirm(): Promise<boolean> {
    if (!confirming && !confirmation.isDue()) return false;
    confirming ??= confirmRemovals(context, confirmAfterMs);
    const step = await confirming.next();
    if (step.done !== true) return true;
    confirming = null;
    confirmation.in(step.value);
    return false;
  }

  async function compare(): Promise<boolean> {
    if (!sweeping) {
      if (!regularSweep.isDue() && !lateSweep.isDue()) return false;
      if (lateSweep.isDue()) lateSweep.in(Number.POSITIVE_INFINITY);
      sweeping = sweep(context);
    }
    const step = await sweeping.next();
    if (step.done !== true) return true;
    // What has changed unseen, say by a request that landed late, has no mark that would have told of it.
    await renewContentVersion(context);
    sweeping = null;
    isMarked = true;
    // It may have been a passing fault of the engine that they were refused for.
    owesRetry = true;
    regularSweep.in(sweepMs);
    return false;
  }

  return {
    /** Takes a turn. False where there was nothing to do. */
    turn: async () => {
      if (look.isDue()) await lookAtIndex();
      // A put that keeps failing must not hold up removals that are to be confirmed.
      const hasConfirmed = await confirm();
      const hasSent = await send();
      // What is under way would be compared in vain.
      const hasCompared = pass === null && (await compare());
      return hasSent || hasConfirmed || hasCompared;
    },
    /** Lets go of what is begun. A request that failed may still land, so the index is looked at again after that. */
    recover: async () => {
      behind ??= pass?.began ?? clock.monotonic();
      if (sweeping) regularSweep.in(0);
      const begun = [pass?.task, confirming, sweeping];
      [pass, confirming, sweeping] = [null, null, null];
      look.in(0);
      lateSweep.in(confirmAfterMs);
      for (const task of begun) await task?.return(undefined as never);
    },
    /** Since when the index has not been known to be up to date, by the feeder's monotonic clock; null where it is. */
    behindSince: () => behind,
    /** What was counted last; null before that. */
    counts: () => counts,
  };
}
