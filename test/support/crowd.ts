/** Many clients at once on several servers: each has so many connections, and sends on each one request after another. */
export interface Crowd {
  /** How often each status was answered so far. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests that never got an answer: their connection was cut. */
  readonly cut: number;
  /** Resolves when every request has been answered or cut. */
  readonly done: Promise<void>;
}

export interface CrowdOptions {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  /** To each server. */
  readonly connections: number;
  /** Awaited before each request. */
  readonly turn?: () => Promise<void>;
  /** Told of each answer. */
  readonly answered?: (statuses: Readonly<Record<number, number>>) => void;
}

export function gather({ urls, headers, requests, connections, turn, answered }: CrowdOptions): Crowd {
  const statuses: Record<number, number> = {};
  const crowd = { statuses, cut: 0, done: Promise.resolve() };
  let left = requests;

  async function client(url: string): Promise<void> {
    while (left > 0) {
      left -= 1;
      await turn?.();
      try {
        const response = await fetch(url, { headers });
        await response.arrayBuffer();
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
        answered?.(statuses);
      } catch {
        crowd.cut += 1;
      }
    }
  }

  const clients = urls.flatMap((url) => Array.from({ length: connections }, () => client(url)));
  crowd.done = Promise.all(clients).then(() => undefined);
  return crowd;
}
