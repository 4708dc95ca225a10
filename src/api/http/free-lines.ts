import type { Clock } from '../../platform/clock.ts';

/**
 * Requests that cost nothing can come in any number, and a line for each would push everything else out of a log that
 * is kept by its size. So of each status the first ones of a second have their own line, and the others share one.
 */
export interface FreeLines {
  /** Whether this one has a line of its own; else it is counted. */
  has(request: FreeRequest): boolean;
  /** Tells what was counted so far, and opens no further second. */
  end(): void;
}

export interface FreeRequest {
  /** The route's pattern; null where there is none. */
  readonly route: string | null;
  readonly status: number;
  /** The id of its key, else the address of the other end; null where neither is known. */
  readonly caller: string | null;
}

/** Of one second. */
export interface Counted {
  readonly requests: number;
  readonly by: readonly {
    readonly route: string | null;
    readonly status: number;
    readonly requests: number;
  }[];
  /** Those that the most came from, at most five. */
  readonly callers: readonly { readonly caller: string | null; readonly requests: number }[];
}

export interface FreeLinesOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  /** Told at the end of each second in which some had no line of their own. */
  readonly onCounted: (counted: Counted) => void;
}

/** Lines of each status in a second. */
const OWN_LINES = 20;
const SECOND_MS = 1000;
/** Callers that are counted apart in a second; the others are counted together, as null. */
const CALLERS = 1000;
const CALLERS_TOLD = 5;

export function createFreeLines({ clock, onCounted }: FreeLinesOptions): FreeLines {
  const ended = new AbortController();
  const seen = new Map<number, number>();
  const routes = new Map<string, Counted['by'][number] & { requests: number }>();
  const callers = new Map<string | null, number>();
  let isOpen = false;

  return {
    has({ route, status, caller }) {
      if (!isOpen) void beginSecond();
      const before = seen.get(status) ?? 0;
      seen.set(status, before + 1);
      if (before < OWN_LINES) return true;
      const name = `${status} ${route}`;
      const counted = routes.get(name);
      if (counted) counted.requests += 1;
      else routes.set(name, { route, status, requests: 1 });
      const known = callers.has(caller) || callers.size < CALLERS ? caller : null;
      callers.set(known, (callers.get(known) ?? 0) + 1);
      return false;
    },

    end() {
      ended.abort();
      tell();
    },
  };

  async function beginSecond(): Promise<void> {
    isOpen = true;
    await clock.sleep(SECOND_MS, ended.signal);
    tell();
    isOpen = false;
  }

  function tell(): void {
    const by = [...routes.values()];
    const counted = [...callers].map(([caller, requests]) => ({ caller, requests }));
    seen.clear();
    routes.clear();
    callers.clear();
    if (by.length === 0) return;
    const requests = by.reduce((sum, one) => sum + one.requests, 0);
    const most = counted.sort((a, b) => b.requests - a.requests).slice(0, CALLERS_TOLD);
    onCounted({ requests, by, callers: most });
  }
}
