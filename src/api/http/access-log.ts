import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { Histogram, type Registry } from '../../platform/metrics-registry.ts';

/** What is said of a request: neither the key nor the address asked for, in which callers also put keys. */
export interface RequestLine {
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
  readonly reason?: string | undefined;
  /** Whether the caller had hung up before the answer was there. */
  readonly aborted?: true | undefined;
}

/** Where no key was looked at. */
export const KEYLESS = { cost: 0, keyId: null } as const;

/**
 * Observes each request, and writes a line for it. Requests that cost nothing can come in any number, and a line for each would
 * push everything else out of a log that is kept by its size: of each status the first ones of a second have lines of their own,
 * and the others share one.
 */
export type AccessLog = ReturnType<typeof createAccessLog>;

/** Lines of each status in a second. */
const OWN_LINES = 20;
const SECOND_MS = 1000;
/** Callers that are counted apart in a second; the others are counted together, as null. */
const CALLERS = 1000;
/** Of those, the ones with the most requests are named. */
const CALLERS_NAMED = 5;

/** Requests of one second that cost nothing. */
interface Second {
  readonly ofStatus: Map<number, number>;
  /** Those without a line of their own. */
  readonly by: Map<string, Pick<RequestLine, 'route' | 'status'> & { requests: number }>;
  readonly callers: Map<string | null, number>;
}

export function createAccessLog(logger: Logger, registry: Registry, clock: Pick<Clock, 'sleep'>) {
  const durations = new Histogram({
    name: 'catalog_http_request_duration_seconds',
    help: 'From the arrival of a request’s headers until its answer was handed to the socket.',
    labelNames: ['route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const ended = new AbortController();
  let second: Second | null = null;

  return {
    /** Takes in an answered request. */
    record: (line: RequestLine): void => {
      const { requestId, method, reason, route, status, cost, durationMs, keyId, aborted } = line;
      durations.observe({ route: route ?? 'none', status }, durationMs / 1000);
      if (cost === 0 && isInShare(line)) return;
      // What is undefined stands in no line.
      const address = keyId === null ? line.address : undefined;
      logger.info(
        { requestId, method, reason, aborted, route, status, cost, durationMs, keyId, address },
        'request',
      );
    },
    /** Writes what has no line yet, and opens no further second. */
    end(): void {
      ended.abort();
      endSecond();
    },
  };

  /** Whether it has no line of its own, and was counted. */
  function isInShare({ route, status, keyId, address }: RequestLine): boolean {
    const { ofStatus, by, callers } = (second ??= beginSecond());
    const before = ofStatus.get(status) ?? 0;
    ofStatus.set(status, before + 1);
    if (before < OWN_LINES) return false;
    const name = `${status} ${route}`;
    by.set(name, { route, status, requests: (by.get(name)?.requests ?? 0) + 1 });
    const caller = keyId ?? address;
    const counted = callers.has(caller) || callers.size < CALLERS ? caller : null;
    callers.set(counted, (callers.get(counted) ?? 0) + 1);
    return true;
  }

  function beginSecond(): Second {
    void clock.sleep(SECOND_MS, ended.signal).then(endSecond);
    return { ofStatus: new Map(), by: new Map(), callers: new Map() };
  }

  function endSecond(): void {
    const by = [...(second?.by.values() ?? [])];
    const callers = [...(second?.callers ?? [])].map(([caller, requests]) => ({ caller, requests }));
    second = null;
    if (by.length === 0) return;
    const requests = by.reduce((sum, one) => sum + one.requests, 0);
    const most = callers.sort((a, b) => b.requests - a.requests).slice(0, CALLERS_NAMED);
    logger.info({ requests, by, callers: most }, 'requests without lines of their own');
  }
}
