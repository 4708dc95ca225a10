import { RetryableError } from '../../platform/errors.ts';

/**
 * The line before a store that answers slowly, or one after the other: whoever would have to stand in it for too long
 * is told so at once, instead of when the patience of all is over. How long that would be follows from how many are in
 * it, and from what one of them has taken lately.
 */
export interface Line {
  /**
   * The outcome of the work.
   * @throws {RetryableError} at once, where others are in line and it would wait for longer than `maxWaitMs`.
   */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export interface LineOptions {
  /** Names what is waited for, in the reason of a refusal. */
  readonly of: string;
  readonly maxWaitMs: number;
  /** In milliseconds from any fixed moment; never goes back. Default `performance.now`. */
  readonly now?: () => number;
}

/** What one is taken to need before any was measured, in milliseconds. */
const FIRST_GUESS_MS = 10;
/** How much the newest measurement says of the next ones. */
const NEWEST = 0.1;

export function createLine({ of, maxWaitMs, now = () => performance.now() }: LineOptions): Line {
  let inLine = 0;
  let eachMs = FIRST_GUESS_MS;
  let lastEndedAt = Number.NEGATIVE_INFINITY;

  return {
    async pass(work) {
      if (inLine * eachMs > maxWaitMs) {
        throw new RetryableError(`${inLine} are in line for ${of}, each takes ${Math.round(eachMs)} ms`);
      }
      const cameAt = now();
      inLine += 1;
      try {
        const value = await work();
        // Until the one before had ended it waited. Failures say nothing: they come early, or when patience is over.
        eachMs += NEWEST * (now() - Math.max(cameAt, lastEndedAt) - eachMs);
        return value;
      } finally {
        lastEndedAt = now();
        inLine -= 1;
      }
    },
  };
}
