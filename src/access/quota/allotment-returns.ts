import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NoticeBoard } from '../notices.ts';
import { isIdle, isPending, release } from './allotment.ts';
import { isSettled, type Counter } from './counter.ts';

const LOOK_MS = 500;
/** So many idle ones are returned at a time: requests, and calls, have their turn between. */
const AT_ONCE = 200;

/**
 * Gives back what is held: when the place has been idle for an hour, or more than `most` places hold something and it has
 * been idle for longer than those; when others call for it; and at the end. Looks for calls
 * every half second while anything is held, and tells the store what it does not know yet; asleep while there is nothing of
 * both. `flush` writes what a counter says to the store.
 */
export function createReturns(
  clock: Clock,
  board: Pick<NoticeBoard, 'look'>,
  logger: Logger | undefined,
  flush: (counter: Counter) => Promise<void>,
  most: number,
) {
  /** What is not settled: what was used longest ago is first. */
  const open = new Set<Counter>();
  /** What the store is to be told at once, and again until it was. */
  const pending = new Set<Counter>();
  const closing = new AbortController();
  let working: Promise<void> | null = null;
  let isFailing = false;

  return {
    /** To be told of a counter whenever a request was granted from it or given back, and after each batch it was in. */
    used(counter: Counter): void {
      open.delete(counter);
      if (isSettled(counter)) return;
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
        if (isSettled(counter)) open.delete(counter);
        else {
          counter.version = undefined;
          pending.add(counter);
        }
      }
    },

    /** Ends the work, and returns the counters of which something is held, or not stored. */
    async close(): Promise<readonly Counter[]> {
      closing.abort();
      await working;
      return [...open];
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
      await Promise.all([...new Set([...pending, ...idle])].map(flush));
    } while (idle.length === AT_ONCE && !closing.signal.aborted);
  }

  function longestIdle(): readonly Counter[] {
    const idle: Counter[] = [];
    for (const counter of open) {
      if (idle.length === AT_ONCE) break;
      if (open.size - idle.length > most) release(counter);
      if (!isIdle(counter, clock.monotonic())) break;
      idle.push(counter);
    }
    return idle;
  }
}
