import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { Histogram, type Registry } from '../../platform/metrics.ts';
import { createFreeLines } from './free-lines.ts';

/** What is said of an exchange: neither the key nor the address asked for, in which callers also put keys. */
export interface Told {
  readonly requestId: string;
  /** null where the parser did not get that far. */
  readonly method: string | null;
  /** The route's pattern; null where there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly cost: 0 | 1;
  readonly durationMs: number;
  readonly keyId: string | null;
  /** Of the other end of the connection; said only where no key says who asked. */
  readonly address: string | null;
  /** Why it failed, where that was not the caller's doing. */
  readonly reason?: string;
  /** Whether the caller had hung up before the answer was there. */
  readonly aborted?: true;
}

/** Takes in each answered request. */
export type Tell = (told: Told) => void;

export interface AccessLog {
  /** An observation for each request, and a line of its own or a share in one: see free-lines.ts. */
  readonly tell: Tell;
  /** Writes what has no line yet. */
  end(): void;
}

export function createAccessLog(logger: Logger, registry: Registry, clock: Clock): AccessLog {
  const freeLines = createFreeLines({
    clock,
    onCounted: (counted) => logger.info(counted, 'requests without lines of their own'),
  });
  const durations = new Histogram({
    name: 'catalog_http_request_duration_seconds',
    help: 'From the arrival of a request’s headers until its answer was handed to the socket.',
    labelNames: ['route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    tell(told) {
      const { route, status, cost, durationMs, keyId, address, ...rest } = told;
      durations.observe({ route: route ?? 'none', status }, durationMs / 1000);
      if (cost === 0 && !freeLines.has({ route, status, caller: keyId ?? address })) return;
      const caller = keyId === null ? { keyId, address } : { keyId };
      logger.info({ ...rest, route, status, cost, durationMs, ...caller }, 'request');
    },
    end: () => freeLines.end(),
  };
}
