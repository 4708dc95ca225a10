import { backoff } from '../../platform/time/backoff.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { messageOf, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';

/** Runs work again while it fails with a `RetryableError`; every other error passes through at once. */
export type Retry = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/** Thrown by a retry whose work failed after its signal was aborted: it is not tried again. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

interface RetryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The pause after the first failure, doubled after each further one up to 10 s, in milliseconds. */
  readonly firstMs?: number;
  readonly random?: () => number;
  /** Told of each failure that is tried again, and of the success that ends it. */
  readonly onFailure?: (what: string, reason: string) => void;
  readonly onSuccess?: (what: string) => void;
}

/** A retry without an end but the signal: a projector has nothing better to do than to wait for its store. */
export function createRetry(options: RetryOptions): Retry {
  const { clock, logger, signal, firstMs = 250, random = Math.random } = options;
  return async (what, work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await work();
        if (attempt > 1) {
          logger.info({ what, attempts: attempt }, 'going on');
          options.onSuccess?.(what);
        }
        return result;
      } catch (thrown) {
        if (!(thrown instanceof RetryableError)) throw thrown;
        if (signal.aborted) throw new StoppedError(`${what}: stopped`, { cause: thrown });
        options.onFailure?.(what, `${what}: ${messageOf(thrown)}`);
        const pause = backoff(attempt, firstMs, 10_000, random);
        logger.warn({ what, attempt, pauseMs: Math.round(pause), reason: messageOf(thrown) }, 'trying again');
        await clock.sleep(pause, signal);
      }
    }
  };
}

/** Waits for that pause between two attempts. @throws {StoppedError} where the signal was aborted before. */
export function conflictPauses({
  clock,
  signal,
  random = Math.random,
}: Pick<RetryOptions, 'clock' | 'signal' | 'random'>): (attempt: number) => Promise<void> {
  return async (attempt) => {
    if (signal.aborted) throw new StoppedError('stopped between two attempts');
    await clock.sleep(conflictPause(attempt, random), signal);
  };
}

/** The pause before a document that keeps changing under one's hands is folded again: 10 to 1,000 ms. */
export function conflictPause(attempt: number, random: () => number): number {
  return backoff(attempt, 20, 1000, random);
}
