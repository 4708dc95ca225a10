import { mayHold, wanted, type Counter } from './counter.ts';

/**
 * An allotment is what a writer holds unspent of its share: requests that the store has counted already, and that are
 * granted later without asking it. A place that asks again within minutes gets one, twice as large each time that it is
 * spent; it goes back when the place has been idle for minutes, or when little is left of the day and somebody calls for it
 * (calls.ts). The end of a day is counted one by one.
 */

/** What a writer that is killed loses of a place's day at most. */
export const LARGEST_ALLOTMENT = 20;
/** So many requests of a day are never held unspent. */
export const ONE_BY_ONE = 100;
/** A place that has not asked for so long gets no allotment, in milliseconds. */
export const IDLE_MS = 180_000;

/** Grants a request from the allotment, if there is something in it. */
export function spend(counter: Counter, now: number): boolean {
  if (counter.unspent === 0) return false;
  counter.unspent -= 1;
  counter.granted += 1;
  counter.grantedAt = now;
  return true;
}

/** Puts a request that was given back into the allotment, where it may be held. */
export function keep(counter: Counter): boolean {
  if (!mayHold(counter) || counter.version === undefined || counter.unspent >= LARGEST_ALLOTMENT)
    return false;
  counter.unspent += 1;
  return true;
}

export interface Plan {
  /** The own share, as the store shall have it. */
  readonly share: number;
  /** Whether the day has no room for all requests. */
  readonly isFull: boolean;
  /** Whether so little is left after it that nothing of the day is held any more. */
  readonly isNearlyFull: boolean;
}

/** What to write, so that as many of the requests as the day has room for can be granted. */
export function plan(
  counter: Counter,
  { requests, limit, now }: { readonly requests: number; readonly limit: number; readonly now: number },
): Plan {
  const spent = wanted(counter) - counter.unspent;
  const free = Math.max(0, limit - counter.othersTaken - spent);
  const granted = Math.min(requests, free);
  const spare = Math.max(0, free - granted - ONE_BY_ONE);
  const held = mayHold(counter) ? Math.min(LARGEST_ALLOTMENT, heldBeside(counter, requests, now), spare) : 0;
  const isNearlyFull = counter.isNearlyFull || free - granted < ONE_BY_ONE;
  return { share: spent + granted + held, isFull: requests > free, isNearlyFull };
}

/** What is to be held beside the requests that wait: twice as many as were granted since the last write. */
function heldBeside({ unspent, granted, grantedAt }: Counter, requests: number, now: number): number {
  if (Math.abs(now - grantedAt) >= IDLE_MS) return 0;
  return requests <= unspent ? unspent - requests : 2 * granted + requests;
}
