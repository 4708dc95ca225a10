import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { Histogram, type Registry } from '../../platform/metrics.ts';
import { plainLines } from '../../platform/plain-lines.ts';
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

type Observer = Pick<Histogram.Internal<string>, 'observe'>;

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
  const observers = new Map<string, Map<number, Observer>>();
  const writePlain = plainLines(logger, 'request');
  return {
    tell(told) {
      const { route, status, cost, durationMs, keyId, address } = told;
      observerOf(route ?? 'none', status).observe(durationMs / 1000);
      if (cost === 0 && !freeLines.has({ route, status, caller: keyId ?? address })) return;
      if (isPlain(told)) {
        writePlain(plainFields(told));
        return;
      }
      const { requestId, method, reason, aborted } = told;
      const why = { ...(reason === undefined ? {} : { reason }), ...(aborted ? { aborted } : {}) };
      const caller = keyId === null ? { keyId, address } : { keyId };
      logger.info({ requestId, method, ...why, route, status, cost, durationMs, ...caller }, 'request');
    },
    end: () => freeLines.end(),
  };

  /** Kept, so that labels are checked once: there are as many as routes and statuses. */
  function observerOf(route: string, status: number): Observer {
    const ofRoute = observers.get(route) ?? new Map<number, Observer>();
    observers.set(route, ofRoute);
    const known = ofRoute.get(status);
    if (known) return known;
    const made = durations.labels(route, String(status));
    ofRoute.set(status, made);
    return made;
  }
}

/**
 * Whether the line holds no text from outside, but for an id of letters, digits and hyphens: an exchange on a route, with a
 * good key, that went as it should.
 */
function isPlain({ keyId, method, route, reason, aborted }: Told): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && keyId !== null && route !== null && reason === undefined && aborted === undefined;
}

function plainFields({ requestId, method, route, status, cost, durationMs, keyId }: Told): string {
  return `"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"cost":${cost},"durationMs":${durationMs},"keyId":"${keyId}"`;
}
