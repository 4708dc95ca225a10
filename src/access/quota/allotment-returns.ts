import { chunks } from '../../platform/chunks.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { repeat } from '../../platform/time/repeat.ts';
import { isIdle, isPending } from './allotment.ts';
import { isSettled, NEVER_S, type Counter } from './local-counter.ts';

const LOOK_MS = 500;
/** So many are returned at a time: requests, and calls, have their turn between. */
const AT_ONCE = 200;
/** So many are looked at in half a second: a million within ten minutes. */
const LOOKED_AT = 1000;

/**
 * Gives back what is held: when the place has been idle for an hour, or for longer than `most` others that hold something;
 * when others call for it; and at the end. Looks for calls, with `look`, every half second while anything is held, and tells
 * the store what it does not know yet. `flush` writes what a counter says to the store.
 */
export function createReturns(
  clock: Clock,
  look: () => Promise<void>,
  logger: Logger | undefined,
  flush: (counter: Counter) => Promise<void>,
  most: number,
) {
  /** What is not settled. */
  const open = new Set<Counter>();
  /** What the store is to be told at once, and again until it was. */
  const pending = new Set<Counter>();
  /** The latest day of them. */
  let today = '';
  let isFailing = false;
  const looking = repeat(clock, LOOK_MS, async (signal) => {
    try {
      if (atRest().some(() => true)) await lookAndReturn(signal);
      isFailing = false;
    } catch (thrown) {
      // Once for each outage: requests, which fail too, say the rest.
      if (!isFailing)
        logger?.warn({ reason: messageOf(thrown) }, 'unspent requests could not be returned yet');
      isFailing = true;
    }
  });

  return {
    /** To be told of a counter whenever a request waits at it, was granted or given back, and after each batch it was in. */
    used(counter: Counter): void {
      if (isSettled(counter)) {
        open.delete(counter);
        return;
      }
      open.add(counter);
      if (counter.day > today) today = counter.day;
      if (isPending(counter)) pending.add(counter);
    },

    /** Another instance calls for what is held of this day. */
    called(counter: Counter): void {
      counter.isNearlyFull = true;
      if (isPending(counter)) pending.add(counter);
    },

    /** Calls may have been missed: of all that is held, what the store says of it decides. */
    doubted(): void {
      for (const counter of open) {
        counter.version = undefined;
        pending.add(counter);
      }
    },

    /** Ends the work, and gives back all that is held, or not stored, where the store takes it. */
    async close(): Promise<void> {
      await looking[Symbol.asyncDispose]();
      for (const some of chunks([...open], AT_ONCE)) {
        const results = await Promise.allSettled(some.map(flush));
        const failed = results.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []));
        if (failed.length > 0) logger?.warn({ reason: failed[0] }, 'unspent requests could not be returned');
        // A store that takes none of them is down.
        if (failed.length === some.length) return;
      }
    },
  };

  async function lookAndReturn(signal: AbortSignal): Promise<void> {
    let due: readonly Counter[];
    let idle: readonly Counter[];
    do {
      await look();
      due = nextPending();
      idle = longestIdle();
      await Promise.all([...new Set([...due, ...idle])].map(flush));
    } while ((idle.length === AT_ONCE || due.length === AT_ONCE) && !signal.aborted);
  }

  /** Those that nobody waits for: what is under way settles the others. */
  function atRest(): IteratorObject<Counter> {
    return open.values().filter(({ waiting }) => waiting.size === 0);
  }

  function nextPending(): readonly Counter[] {
    const due: Counter[] = [];
    for (const counter of pending) {
      // One that is not pending any more may have been forgotten, and have a successor.
      if (isPending(counter)) due.push(counter);
      else pending.delete(counter);
      if (due.length === AT_ONCE) break;
    }
    return due;
  }

  /** Of the next ones in turn those that are idle; and where too many hold something, those that were used longest ago. */
  function longestIdle(): readonly Counter[] {
    const now = clock.monotonic();
    const next = [...atRest().take(LOOKED_AT)].sort((a, b) => a.usedAtS - b.usedAtS);
    for (const [index, counter] of next.entries()) {
      // Of a day before nobody asks any more.
      if (index < open.size - most || counter.day < today) counter.usedAtS = NEVER_S;
      if (isIdle(counter, now)) continue;
      open.delete(counter);
      open.add(counter);
    }
    return next.filter((counter) => isIdle(counter, now)).slice(0, AT_ONCE);
  }
}
