import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NoticeBoard } from '../notices.ts';
import { IDLE_MS } from './allotment.ts';
import { isPending, isSettled, type Counter } from './counter.ts';

/**
 * Gives back what is held: when the place has been idle for `IDLE_MS` (twice that at most), when others call for it, and at
 * the end. Looks for calls every half second while anything is held, and tells the store what it does not know yet; asleep
 * while there is nothing of both.
 */
interface Holding {
  /** To be told of a counter whenever a request was granted from it or given back, and after each batch it was in. */
  used(counter: Counter): void;
  /** Another instance calls for what is held of this day. */
  called(counter: Counter): void;
  /** A call for it may have been missed: what the store says of it decides. */
  doubted(counter: Counter): void;
  /** Ends the work, and returns the counters of which something is held, or not stored. */
  close(): Promise<readonly Counter[]>;
}

interface HoldingOptions {
  readonly clock: Clock;
  readonly board: Pick<NoticeBoard, 'look'>;
  readonly logger: Logger | undefined;
  /** Writes what a counter says to the store. */
  readonly flush: (counter: Counter) => Promise<unknown>;
}

const LOOK_MS = 500;
/** So many are given back at a time: requests, and calls, have their turn between. */
const AT_ONCE = 200;

export function createHolding({ clock, board, logger, flush }: HoldingOptions): Holding {
  /** Used since the last turn, and since the one before that. */
  let recent = new Set<Counter>();
  let older = new Set<Counter>();
  /** Not used since, and not given back yet. */
  const idle = new Set<Counter>();
  /** What the store is to be told at once, and again until it was. */
  const pending = new Set<Counter>();
  let turnedAt = clock.monotonic();
  const closing = new AbortController();
  let working: Promise<void> | null = null;
  let isFailing = false;

  return {
    used(counter) {
      if (closing.signal.aborted || isSettled(counter)) return;
      recent.add(counter);
      if (isPending(counter)) pending.add(counter);
      working ??= work();
    },

    called(counter) {
      counter.isNearlyFull = true;
      if (counter.unspent > 0) pending.add(counter);
    },

    doubted(counter) {
      counter.version = undefined;
      pending.add(counter);
    },

    async close() {
      closing.abort();
      await working;
      return [...new Set([...recent, ...older, ...idle])];
    },
  };

  async function work(): Promise<void> {
    while (recent.size + older.size + idle.size > 0) {
      await clock.sleep(LOOK_MS, closing.signal);
      if (closing.signal.aborted) return;
      if (clock.monotonic() - turnedAt >= IDLE_MS) turn();
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

  /** What was not used for two turns is idle. */
  function turn(): void {
    turnedAt = clock.monotonic();
    for (const counter of older) if (!recent.has(counter) && !isSettled(counter)) idle.add(counter);
    older = recent;
    recent = new Set();
    for (const counter of older) if (isSettled(counter)) older.delete(counter);
  }

  async function lookAndReturn(): Promise<void> {
    do {
      await board.look();
      // One that was settled meanwhile may have been forgotten, and have a successor: it must tell the store nothing any more.
      for (const waiting of [pending, idle])
        for (const counter of waiting) if (isSettled(counter)) waiting.delete(counter);
      const some = [...new Set([...pending, ...idle.values().take(AT_ONCE)])];
      await Promise.all(some.map(flush));
      for (const counter of some) {
        if (!isPending(counter)) pending.delete(counter);
        idle.delete(counter);
      }
    } while (idle.size > 0 && !closing.signal.aborted);
  }
}
