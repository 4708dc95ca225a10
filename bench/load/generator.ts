import { LOAD_CORE, startChild } from '../child-process.ts';
import type { Measured, Request, Run, Setup } from './messages.ts';

/** A process of its own that sends requests and measures the answers. */
export interface LoadGenerator extends AsyncDisposable {
  /** Goes on with the request after the last one of the run before. */
  run(load: Run['load'], durationMs: number): Promise<Measured>;
}

export async function startLoad(
  port: number,
  requests: readonly Request[],
  order?: Uint32Array,
): Promise<LoadGenerator> {
  const child = startChild('load/child.ts', { core: LOAD_CORE });
  await child.ask({ kind: 'setup', port, requests, order } satisfies Setup);
  let from = 0;
  return {
    run: async (load, durationMs) => {
      const measured = await child.ask<Measured>({ kind: 'run', from, load, durationMs } satisfies Run);
      from += measured.latencies.length;
      return measured;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** In the name of one key after the other, as a single one may have only a few searches under way. */
export function inTurns(keys: readonly string[], paths: readonly string[]): readonly Request[] {
  return paths.map((path, index) => ({
    path: `/api/v1${path}`,
    headers: { 'x-api-key': keys[index % keys.length] ?? '' },
  }));
}

/** @throws where an answer has another status than these: what is refused quickly is not fast. */
export function requireAnswered({ statuses, latencies }: Measured, allowed: readonly number[] = [200]): void {
  const answered = allowed.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  if (answered !== latencies.length) throw new Error(`answered with ${JSON.stringify(statuses)}`);
}
