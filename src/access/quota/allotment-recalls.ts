import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Counter } from './local-counter.ts';
import { idOf } from './quota-day-document.ts';
import { createGroupCommit } from './group-commit.ts';

/**
 * Calls other instances to give back what they hold of a day, once its document says that nothing is held of it any more:
 * whoever writes to it later sees that, and whoever holds something from before hears the call, for they all look every
 * half second (allotment-returns.ts).
 */
export function createRecalls(
  clock: Pick<Clock, 'monotonic'>,
  post: (days: readonly string[]) => Promise<void>,
  logger: Logger | undefined,
) {
  /** When others were called: monotonic milliseconds, `Infinity` while they are. */
  const calledAt = new WeakMap<Counter, number>();
  // One notice for all that are called in one turn, or while one is posted.
  const call = createGroupCommit<Counter>(async (called) => {
    try {
      await post(called.map(idOf));
      for (const counter of called) calledAt.set(counter, clock.monotonic());
    } catch (thrown) {
      // The next batch calls again.
      for (const counter of called) calledAt.delete(counter);
      logger?.warn({ reason: messageOf(thrown) }, 'others could not be told that little is left of a day');
    }
  });

  return {
    /** To be told of counters after each batch that they were in. */
    counted(counters: readonly Counter[]): void {
      for (const counter of counters) {
        if (!counter.isNearlyFull || calledAt.has(counter) || !mayBeHeld(counter)) continue;
        calledAt.set(counter, Number.POSITIVE_INFINITY);
        void call(counter);
      }
    },

    /** Whether others may still give something back: nobody is refused until they have been called, and had their time. */
    mayReturn(counter: Counter): boolean {
      const at = calledAt.get(counter);
      return mayBeHeld(counter) && (at === undefined || clock.monotonic() - at < RETURNED_WITHIN_MS);
    },
  };
}

/** How long others have to give back, from the moment at which a call can be heard. */
const RETURNED_WITHIN_MS = 1500;

/** Whether others have counted anything. */
function mayBeHeld({ others, isOver }: Counter): boolean {
  return others.taken > 0 && !isOver;
}
