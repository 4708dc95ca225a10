import { chunks } from '../../platform/chunks.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NoticeBoard } from '../notice-board.ts';
import { isIdle, isPending } from './allotment.ts';
import { isSettled, NEVER_S, type Counter } from './counter.ts';

const LOOK_MS = 500;
/** So many are returned at a time: requests, and calls, have their turn between. */
const AT_ONCE = 200;
/** So many are looked at in half a second: a million within ten minutes. */
const LOOKED_AT = 1000;

/**
 * Gives back what is held: when the place has been idle for an hour, or for longer than `most` others that hold something;
 * when others call for it; and at the end. Looks for calls every half second while anything is held, and tells the store
 * what it does not know yet; asleep while there is nothing of both. `flush` writes what a counter says to the store.
 */
export function createReturns(
  clock: Clock,
  board: Pick<NoticeBoard, 'look'>,
  logger: Logger | undefined,
  flush: (counter: Counter) => Promise<void>,
  most: number,
) {
  /** What is not settled. */
  const open = new Set<Counter>();
  /** What the store is to be told at once, and again until it was. */
  const pending = new Set<Counter>();
  const closing = new AbortController();
  let working: Promise<void> | null = null;
  let isFailing = false;

  return {
    /** To be told of a counter whenever a request was granted from it or given back, and after each batch it was in. */
    used(counter: Counter): void {
      if (isSettled(counter)) {
        open.delete(counter);
        return;
      }
      open.add(counter);
      if (isPending(counter)) pending.add(counter);
      if (!closing.signal.aborted) working ??= work();
    },

    /** Another instance calls for what is held of this day. */
    called(counter: Counter): void {
      counter.isNearlyFull = true;
      if (isPending(counter)) pending.add(counter);
    },

    /** Calls may have been missed: of all that is held, what the store says of it decides. */
    doubted(): void {
      for (const counter of open) {
        if (isSettled(counter)) continue;
        counter.version = undefined;
        pending.add(counter);
      }
    },

    /** Ends the work, and gives back all that is held, or not stored, where the store takes it. */
    async close(): Promise<void> {
      closing.abort();
      await working;
      try {
        for (const some of chunks([...open], AT_ONCE)) await Promise.all(some.map(flush));
      } catch (thrown) {
        logger?.warn({ reason: messageOf(thrown) }, 'unspent requests could not be returned');
      }
    },
  };

  async function work(): Promise<void> {
    while (open.size > 0) {
      await clock.sleep(LOOK_MS, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await lookAndReturn();
        isFailing = false;
      } catch (thrown) {
        // Once for each outage: requests, which fail too, say the rest.
        if (!isFailing)
          logger?.warn({ reason: messageOf(thrown) }, 'unspent requests could not be returned yet');
        isFailing = true;
      }
    }
    working = null;
  }

  async function lookAndReturn(): Promise<void> {
    let idle: readonly Counter[];
    do {
      await board.look();
      // One that is not pending any more may have been forgotten, and have a successor.
      for (const counter of pending) if (!isPending(counter)) pending.delete(counter);
      idle = longestIdle();
      await Promise.all([...new Set([...pending.values().take(AT_ONCE), ...idle])].map(flush));
    } while ((idle.length === AT_ONCE || pending.size > AT_ONCE) && !closing.signal.aborted);
  }

  /** Of the next ones in turn those that are idle; and where too many hold something, those that were used longest ago. */
  function longestIdle(): readonly Counter[] {
    const now = clock.monotonic();
    const next = [...open.values().take(LOOKED_AT)].sort((a, b) => a.usedAtS - b.usedAtS);
    for (const counter of next.slice(0, Math.max(0, open.size - most))) counter.usedAtS = NEVER_S;
    for (const counter of next) {
      if (isIdle(counter, now)) continue;
      open.delete(counter);
      open.add(counter);
    }
    return next.filter((counter) => isIdle(counter, now)).slice(0, AT_ONCE);
  }
}
