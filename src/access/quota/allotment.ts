import { isStored, leftOf, noteUse, unspentOf, type Counter } from './local-counter.ts';

/**
 * An allotment is what a writer holds unspent of its share: requests that the store has counted already, and that are
 * granted later without asking it. A place that asks again within an hour gets one of 20; what is given back goes into it,
 * too. It goes back when the place has been idle for an hour, when more places hold something than are remembered, or when
 * little is left of the day and somebody calls for it (allotment-recalls.ts). The end of a day is counted one by one.
 */

/** What a writer that is killed loses of a place's day at most. */
export const LARGEST_ALLOTMENT = 20;
/** So many requests of a day are never held unspent. */
export const ONE_BY_ONE = 100;
/**
 * A place that has not asked for so long has no allotment, in milliseconds. A key that asks 1,000 times a day asks once in
 * 86 s, and most ask far less: what is held for minutes alone would save them nothing.
 */
export const IDLE_MS = 3_600_000;

/** Grants a request from the allotment, if there is something in it. `now` is monotonic, here and below. */
export function spend(counter: Counter, keyId: string, minute: number, now: number): boolean {
  if (unspentOf(counter) === 0) return false;
  counter.spent += 1;
  counter.usedAtS = Math.floor(now / 1000);
  noteUse(counter, keyId, minute, 1);
  return true;
}

/** Takes a request back that was granted: into the allotment, from which it is returned where it may not be held. */
export function takeBack(counter: Counter, keyId: string): void {
  counter.spent -= 1;
  counter.fullAt = null;
  noteUse(counter, keyId, 0, -1);
}

export function isIdle({ usedAtS }: Counter, now: number): boolean {
  return now - usedAtS * 1000 >= IDLE_MS;
}

/** Whether the store is to be written to at once, and not only when the place is idle. */
export function isPending(counter: Counter): boolean {
  if (counter.share === null) return counter.spent !== 0;
  return unspentOf(counter) > (counter.isNearlyFull ? 0 : LARGEST_ALLOTMENT) || !isStored(counter);
}

export interface Plan {
  /** The own share, as the store shall have it. */
  readonly share: number;
  /** How many of those that wait it grants. */
  readonly granted: number;
  /** Whether the day has no room for all requests. */
  readonly isFull: boolean;
  /** Whether so little is left after it that nothing of the day is held any more. */
  readonly isNearlyFull: boolean;
}

/**
 * What to write, so that as many of the requests that wait as the day has room for can be granted; with `mayHold`, out of an
 * allotment for them and for those that follow.
 */
export function plan(counter: Counter, limit: number, mayHold: boolean, now: number): Plan {
  const requests = counter.waiting.size;
  const free = leftOf(counter, limit);
  const granted = Math.min(requests, free);
  const rest = free - granted;
  const isNearlyFull = counter.isNearlyFull || rest < ONE_BY_ONE;
  const unspent = unspentOf(counter);
  const wish = requests <= unspent ? unspent - requests : LARGEST_ALLOTMENT - requests;
  const isHolding = mayHold && !isNearlyFull && !isIdle(counter, now);
  const held = isHolding ? Math.min(LARGEST_ALLOTMENT, Math.max(0, wish), rest - ONE_BY_ONE) : 0;
  return { share: counter.spent + granted + held, granted, isFull: requests > free, isNearlyFull };
}
