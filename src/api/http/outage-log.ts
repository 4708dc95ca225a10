import type { Clock } from '../../platform/time/clock.ts';
import { PermanentError, type RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { Counter, type Registry } from '../../platform/metrics-registry.ts';

/**
 * Counts the requests that a store has failed, and says when they begin to fail and when that is over: two lines, however
 * many requests there are. Which request failed for what stands in its own access line.
 */
export type Outage = ReturnType<typeof createOutage>;

/** One store may be down and another one not: it is over when nothing has failed for so long, in milliseconds. */
const QUIET_MS = 5000;

export function createOutage(clock: Clock, logger: Logger, registry: Registry) {
  const failures = new Counter({
    name: 'catalog_http_store_failures_total',
    help: 'Requests that were answered with 503 because a store was down or too slow (retryable) or damaged (permanent).',
    labelNames: ['kind'] as const,
    registers: [registry],
  });
  // An alert on its increase sees the first failure alone where it stood at zero before.
  for (const kind of ['permanent', 'retryable']) failures.inc({ kind }, 0);
  let beganAt: number | null = null;
  let lastAt = 0;
  let requests = 0;
  return {
    failed(cause: RetryableError | PermanentError): void {
      const isPermanent = cause instanceof PermanentError;
      failures.inc({ kind: isPermanent ? 'permanent' : 'retryable' });
      lastAt = clock.monotonic();
      requests += 1;
      if (beganAt !== null) return;
      beganAt = lastAt;
      if (isPermanent) logger.error({ reason: cause.message }, 'a store cannot be used until it is fixed');
      else logger.warn({ reason: cause.message }, 'a store is down or too slow');
    },
    /** A request was answered that could have failed. */
    answered(): void {
      if (beganAt === null || clock.monotonic() - lastAt < QUIET_MS) return;
      logger.info({ lastedMs: lastAt - beganAt, requests }, 'requests are answered again');
      beganAt = null;
      requests = 0;
    },
  };
}
