import { wanted, type Counter } from './counter.ts';

/**
 * An allotment is what a writer holds unspent of its share: requests that the store has counted already, and that are
 * granted later without asking it. It is as large as what a second would spend, and goes back after about a second in
 * which it is not spent. Others who find the day taken wait until then instead of refusing. The end of a day is counted
 * one by one, so that nobody has to wait there.
 */

/** What a writer that is killed loses of a key's day at most. */
export const LARGEST_ALLOTMENT = 10;
/** So many requests of a day are never held unspent. */
const ONE_BY_ONE = 50;
/**
 * How long others wait for an allotment that they hear nothing more of: below the time that an HTTP request waits for a
 * store, so that they are answered.
 */
const ALLOTMENT_MS = 1500;
/** How often allotments are looked at. */
export const RENEWED_EVERY_MS = 400;
/** A place that has been idle for so long gets no allotment, and keeps none. */
const IDLE_MS = 500;

/** Grants a request from the allotment, if there is something in it. */
export function spend(counter: Counter, now: number): boolean {
  if (counter.unspent === 0) return false;
  counter.unspent -= 1;
  counter.granted += 1;
  counter.grantedAt = now;
  return true;
}

/** Few enough that nearly all of an allotment is spent by then, and enough for the store to answer meanwhile. */
const LOW = 3;

/** Whether it is spent so fast that there will soon be nothing left. */
export function isRunningLow(counter: Counter, now: number): boolean {
  return counter.unspent <= LOW && pace(counter, now) >= LARGEST_ALLOTMENT;
}

/** Whether others wait for the allotment long enough for something to be put into it. */
export function keeps(counter: Counter, now: number): boolean {
  return !isEnding(counter, now);
}

/** Puts a request that was given back into the allotment, where there is room for it. */
export function keep(counter: Counter, now: number): boolean {
  if (!keeps(counter, now) || counter.unspent >= LARGEST_ALLOTMENT) return false;
  counter.unspent += 1;
  return true;
}

/** Whether it is time to return what is unspent, or to say again that it is held. */
export function isDue(counter: Counter, now: number): boolean {
  return counter.unspent > 0 && isEnding(counter, now);
}

/**
 * So early that what is held is seen to in time, even where the first attempt fails; and where it ends so late that the
 * store's clock must have been set back since.
 */
function isEnding({ until }: Counter, now: number): boolean {
  return until - now < 2 * RENEWED_EVERY_MS || until - now > ALLOTMENT_MS;
}

export interface Plan {
  /** The own share, and the end of its allotment (0: none), as the store shall have them. */
  readonly share: number;
  readonly until: number;
  /** The part of the share that nobody asks for yet. */
  readonly held: number;
}

/** What to write, so that as many of the requests as the day has room for can be granted. */
export function plan(
  counter: Counter,
  { requests, limit, now, closing }: { requests: number; limit: number; now: number; closing: boolean },
): Plan {
  const spent = wanted(counter) - counter.unspent;
  const free = Math.max(0, limit - counter.othersTaken - spent);
  const granted = Math.min(requests, free);
  const left = free - granted;
  if (closing || left <= ONE_BY_ONE) return { share: spent + granted, until: 0, held: 0 };
  const held = Math.min(LARGEST_ALLOTMENT, pace(counter, now), left - ONE_BY_ONE);
  const share = spent + granted + held;
  return { share, until: granted + held > 0 ? now + ALLOTMENT_MS : 0, held };
}

/** Whether the store has to be written to. */
export function isNews(counter: Counter, { share, until, held }: Plan, now: number): boolean {
  if (share !== counter.stored) return true;
  if (until === 0) return counter.storedUntil > now;
  return held > 0 && isEnding(counter, now);
}

/** Requests that a second would take if it went on as since the last write; 0 where it has stopped. */
function pace({ granted, grantedAt, flushedAt }: Counter, now: number): number {
  if (Math.abs(now - grantedAt) >= IDLE_MS) return 0;
  return Math.floor((granted * 1000) / Math.max(1, now - flushedAt));
}
