import type { Clock } from '../../platform/clock.ts';
import { PermanentError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';

/**
 * Says when requests begin to fail for a store, and when that is over: two lines, however many requests there are. Which
 * request failed for what stands in its own access line.
 */
export interface Outage {
  failed(cause: Error): void;
  /** A request was answered that could have failed. */
  answered(): void;
}

/** One store may be down and another one not: it is over when nothing has failed for so long, in milliseconds. */
const QUIET_MS = 5000;

export function createOutage(clock: Clock, logger: Logger): Outage {
  let beganAt: number | null = null;
  let lastAt = 0;
  let requests = 0;
  return {
    failed(cause) {
      lastAt = clock.monotonic();
      requests += 1;
      if (beganAt !== null) return;
      beganAt = lastAt;
      const needsMending = cause instanceof PermanentError;
      if (needsMending) logger.error({ reason: cause.message }, 'a store cannot be used until it is mended');
      else logger.warn({ reason: cause.message }, 'a store is down or too slow');
    },
    answered() {
      const now = clock.monotonic();
      if (beganAt === null || now - lastAt < QUIET_MS) return;
      logger.info({ lastedMs: lastAt - beganAt, requests }, 'requests are answered again');
      beganAt = null;
      requests = 0;
    },
  };
}
