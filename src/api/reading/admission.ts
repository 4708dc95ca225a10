import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { Waiting } from './waiting.ts';

/**
 * Admission control before a store that answers slowly, or one after the other. A few callers are with the store, the
 * others wait in a queue for each, and the callers take turns: one with many requests delays its own alone. A request
 * that would have to wait for too long is refused at once, instead of when the patience of all is over. How long that
 * would be follows from the queues, and from what a request has taken lately.
 */
export interface Admission {
  /**
   * The outcome of the work.
   * @throws {RetryableError} at once, where it would wait for longer than `maxWaitMs`; after `maxWaitMs`, where it did.
   */
  admit<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export interface AdmissionOptions {
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

/** The requests of one caller, with the store or waiting for it. */
interface Caller {
  pending: number;
  readonly waiting: Waiting;
}

export function createAdmission({ of, maxWaitMs, atOnce, clock }: AdmissionOptions): Admission {
  // In the order of their turns. Only callers that have something pending.
  const callers = new Map<string, Caller>();
  let pending = 0;
  let withStore = 0;
  let eachMs = FIRST_GUESS_MS;
  let lastEndedAt = Number.NEGATIVE_INFINITY;

  return {
    async admit(name, work) {
      const caller = callers.get(name) ?? { pending: 0, waiting: new Waiting() };
      if (countBefore(caller) * eachMs > maxWaitMs) {
        throw new RetryableError(`${pending} are in line for ${of}, each takes ${Math.round(eachMs)} ms`);
      }
      const cameAt = clock.monotonic();
      callers.set(name, caller);
      caller.pending += 1;
      pending += 1;
      try {
        if (withStore < atOnce) withStore += 1;
        else if (!(await caller.waiting.wait(clock, maxWaitMs)))
          throw new RetryableError(`${of} did not come to its turn in ${maxWaitMs} ms`);
        try {
          const value = await work();
          // Until the one before had ended it waited. Failures say nothing: they come early, or when patience is over.
          eachMs += NEWEST * (clock.monotonic() - Math.max(cameAt, lastEndedAt) - eachMs);
          return value;
        } finally {
          lastEndedAt = clock.monotonic();
          handOver();
        }
      } finally {
        caller.pending -= 1;
        pending -= 1;
        if (caller.pending === 0) callers.delete(name);
      }
    },
  };

  /** What comes before the next request of this caller: of each other caller no more than has come of this one. */
  function countBefore(caller: Caller): number {
    let before = caller.pending;
    for (const other of callers.values()) {
      if (other !== caller) before += Math.min(other.pending, caller.pending + 1);
    }
    return before;
  }

  /** To the first request of the caller whose turn it is, which then stands behind the other callers. */
  function handOver(): void {
    for (const [name, caller] of callers) {
      if (!caller.waiting.handOver()) continue;
      callers.delete(name);
      callers.set(name, caller);
      return;
    }
    withStore -= 1;
  }
}
