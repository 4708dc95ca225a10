import { setTimeout as delay } from 'node:timers/promises';

/** Readers who never stop: each asks one server for one page after another, with now this key and now that one. */
export interface Traffic {
  /** How often each status was answered so far. */
  readonly statuses: Readonly<Record<number, number>>;
  /** What no reader should see: other 5xx than 503, a 503 that does not say when to come back, a cut connection. */
  readonly failures: readonly string[];
  /** Requests that were counted against a key, by what the answers say. */
  counted(key: string): number;
  /** One request more. */
  ask(server: string, path: string, key: string): Promise<number>;
  /** Resolves when the requests in flight are answered. */
  stop(): Promise<void>;
}

export interface TrafficOptions {
  /** Where the API begins, one for each server. */
  readonly servers: readonly string[];
  /** Readers of each server. */
  readonly readers: number;
  readonly paths: readonly string[];
  /** Taken in turn. */
  readonly keys: readonly string[];
}

/** Between two requests of one reader, in milliseconds: the rest of the machine has work too. */
const PAUSE_MS = 25;

export function startTraffic({ servers, readers, paths, keys }: TrafficOptions): Traffic {
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  const counts = new Map<string, number>();
  const stopping = new AbortController();

  async function ask(server: string, path: string, key: string): Promise<number> {
    const response = await fetch(`${server}${path}`, { headers: { 'x-api-key': key } });
    const { status, headers } = response;
    const text = await response.text();
    statuses[status] = (statuses[status] ?? 0) + 1;
    counts.set(key, (counts.get(key) ?? 0) + Number(headers.get('x-ratelimit-cost')));
    const isRefusal = status === 503 && Number(headers.get('retry-after')) > 0;
    if (status >= 500 && !isRefusal) failures.push(`${path}: ${status} ${text}`);
    return status;
  }

  async function read(server: string, first: number): Promise<void> {
    for (let turn = first; !stopping.signal.aborted; turn += 1) {
      const path = String(paths[turn % paths.length]);
      const key = String(keys[Math.floor(turn / paths.length) % keys.length]);
      await ask(server, path, key).catch((thrown: unknown) => failures.push(`${path}: ${String(thrown)}`));
      await delay(PAUSE_MS);
    }
  }

  const reading = servers.flatMap((server) =>
    Array.from({ length: readers }, (_, reader) => read(server, reader)),
  );
  return {
    statuses,
    failures,
    counted: (key) => counts.get(key) ?? 0,
    ask,
    stop: async () => {
      stopping.abort();
      await Promise.all(reading);
    },
  };
}
