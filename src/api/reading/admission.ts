import type { Clock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { WaitQueue } from './key-concurrency.ts';

export type Admission = ReturnType<typeof createAdmission>;

interface AdmissionOptions {
  /** Names what is waited for, in the reason of a refusal. */
  readonly of: string;
  readonly maxWaitMs: number;
  /** How many requests the store is given at a time. */
  readonly atOnce: number;
  readonly clock: Clock;
}

/** What a request is taken to need before any was measured, in milliseconds. */
const FIRST_GUESS_MS = 10;

/** How much the newest measurement says of the next ones. */
const NEWEST = 0.1;

/** One that takes more than so many times as long was held up, by a collection of garbage say: it tells little of the next ones. */
const MOST_TIMES = 4;

/** Requests that yield and are with the store at a time: what a request that does not yield may have to wait for. */
const YIELDING_AT_ONCE = 1;

/** Callers in the order of their turns: only those that have something pending. */
interface Line {
  readonly callers: Map<string, Caller>;
  pending: number;
  withStore: number;
}

/** The requests of one caller, with the store or waiting for it. */
interface Caller {
  pending: number;
  readonly waiting: WaitQueue;
}

/**
 * Admission control before a store that answers slowly, or one after the other. A few callers are with the store, the
 * others wait in a queue for each, and the callers take turns: one with many requests delays its own alone. A request
 * that would have to wait for too long is refused at once, instead of when the patience of all is over. How long that
 * would be follows from the queues, and from what a request has taken lately.
 *
 * Requests that yield stand in a line of their own: the store is given one of them at a time, and only while nobody else
 * waits for it.
 */
export function createAdmission({ of, maxWaitMs, atOnce, clock }: AdmissionOptions) {
  const first: Line = { callers: new Map(), pending: 0, withStore: 0 };
  const yielding: Line = { callers: new Map(), pending: 0, withStore: 0 };
  let eachMs = FIRST_GUESS_MS;
  let lastEndedAt = Number.NEGATIVE_INFINITY;

  return {
    /**
     * The outcome of the work. Where it `yields`, it stands back for all that does not.
     * @throws {RetryableError} at once, where it would wait for longer than `maxWaitMs`; after `maxWaitMs`, where it did.
     */
    async admit<T>(name: string, work: () => Promise<T>, yields = false): Promise<T> {
      const line = yields ? yielding : first;
      const caller = line.callers.get(name) ?? { pending: 0, waiting: new WaitQueue() };
      const before = countBefore(line, caller) + (yields ? first.pending : 0);
      if (before * eachMs > maxWaitMs) {
        const pending = line.pending + (yields ? first.pending : 0);
        throw new RetryableError(`${pending} are in line for ${of}, each takes ${Math.round(eachMs)} ms`);
      }
      const cameAt = clock.monotonic();
      line.callers.set(name, caller);
      caller.pending += 1;
      line.pending += 1;
      try {
        if (hasPlaceFor(line)) line.withStore += 1;
        else if (!(await caller.waiting.wait(clock, maxWaitMs)))
          throw new RetryableError(`${of} did not come to its turn in ${maxWaitMs} ms`);
        try {
          const value = await work();
          // Until the one before had ended it waited. Failures say nothing: they come early, or when patience is over.
          const tookMs = clock.monotonic() - Math.max(cameAt, lastEndedAt);
          eachMs += NEWEST * (Math.min(tookMs, MOST_TIMES * eachMs) - eachMs);
          return value;
        } finally {
          lastEndedAt = clock.monotonic();
          line.withStore -= 1;
          handOver();
        }
      } finally {
        caller.pending -= 1;
        line.pending -= 1;
        if (caller.pending === 0) line.callers.delete(name);
      }
    },
  };

  /** A free place stays free only while nobody waits who could have it, so whoever finds one overtakes nobody. */
  function hasPlaceFor(line: Line): boolean {
    const isFree = first.withStore + yielding.withStore < atOnce;
    return isFree && (line === first || yielding.withStore < YIELDING_AT_ONCE);
  }

  /** What comes before the next request of this caller: of each other caller no more than has come of this one. */
  function countBefore(line: Line, caller: Caller): number {
    let before = caller.pending;
    for (const other of line.callers.values()) {
      if (other !== caller) before += Math.min(other.pending, caller.pending + 1);
    }
    return before;
  }

  function handOver(): void {
    for (const line of [first, yielding]) if (hasPlaceFor(line) && handOverIn(line)) return;
  }

  /** To the first request of the caller whose turn it is, which then stands behind the other callers. */
  function handOverIn(line: Line): boolean {
    for (const [name, caller] of line.callers) {
      if (!caller.waiting.handOver()) continue;
      line.withStore += 1;
      line.callers.delete(name);
      line.callers.set(name, caller);
      return true;
    }
    return false;
  }
}
