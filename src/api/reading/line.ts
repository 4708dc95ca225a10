import type { Clock } from '../../platform/clock.ts';
import { RetryableError } from '../../platform/errors.ts';

/**
 * The line before a store that answers slowly, or one after the other. A few are with the store, the others wait, and
 * callers take turns: who has many in line delays their own alone. Whoever would have to wait for too long is told so at
 * once, instead of when the patience of all is over. How long that would be follows from who is in line, and from what
 * one has taken lately.
 */
export interface Line {
  /**
   * The outcome of the work.
   * @throws {RetryableError} at once, where it would wait for longer than `maxWaitMs`; after `maxWaitMs`, where it did.
   */
  pass<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

export interface LineOptions {
  /** Names what is waited for, in the reason of a refusal. */
  readonly of: string;
  readonly maxWaitMs: number;
  /** How many the store is given at a time. */
  readonly atOnce: number;
  readonly clock: Clock;
}

/** What one is taken to need before any was measured, in milliseconds. */
const FIRST_GUESS_MS = 10;
/** How much the newest measurement says of the next ones. */
const NEWEST = 0.1;

/** Those of one caller, with the store or waiting for it. */
interface Caller {
  inLine: number;
  readonly waiting: Waiting;
}

export function createLine({ of, maxWaitMs, atOnce, clock }: LineOptions): Line {
  // In the order of their turns. Only callers that are in line.
  const callers = new Map<string, Caller>();
  let inLine = 0;
  let withStore = 0;
  let eachMs = FIRST_GUESS_MS;
  let lastEndedAt = Number.NEGATIVE_INFINITY;

  return {
    async pass(name, work) {
      const caller = callers.get(name) ?? { inLine: 0, waiting: new Waiting() };
      const before = countBefore(caller);
      if (before * eachMs > maxWaitMs) {
        throw new RetryableError(`${inLine} are in line for ${of}, each takes ${Math.round(eachMs)} ms`);
      }
      const cameAt = clock.monotonic();
      callers.set(name, caller);
      caller.inLine += 1;
      inLine += 1;
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
        caller.inLine -= 1;
        inLine -= 1;
        if (caller.inLine === 0) callers.delete(name);
      }
    },
  };

  /** Those who come before the next one of this caller: of each other caller no more than have come of this one. */
  function countBefore(caller: Caller): number {
    let before = caller.inLine;
    for (const other of callers.values()) {
      if (other !== caller) before += Math.min(other.inLine, caller.inLine + 1);
    }
    return before;
  }

  /** To the first one of the caller whose turn it is, who then stands behind the other callers. */
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

/** Those who wait for a place, first come first. Whoever leaves hands it over, so nobody overtakes. */
export class Waiting {
  readonly #takers = new Set<() => void>();

  /** Waits for a place. False where none was handed over within `ms`. */
  async wait(clock: Clock, ms: number): Promise<boolean> {
    const done = new AbortController();
    let isHandedOver = false;
    const take = (): void => {
      isHandedOver = true;
      done.abort();
    };
    this.#takers.add(take);
    await clock.sleep(ms, done.signal);
    this.#takers.delete(take);
    return isHandedOver;
  }

  /** Gives a place to the first one. False where nobody waits. */
  handOver(): boolean {
    const [next] = this.#takers;
    if (!next) return false;
    this.#takers.delete(next);
    next();
    return true;
  }
}
