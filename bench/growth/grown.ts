import { join } from 'node:path';

import { createRandom } from '../../src/sample/random.ts';
import { install, type Installation } from '../../test/support/process.ts';
import { fillCatalog } from '../catalog.ts';
import type { Entry } from '../filling.ts';
import { type Measured as Process, startMeasured } from '../http/measured.ts';
import { startLoad } from '../load/generator.ts';
import type { Measured, Run } from '../load/messages.ts';
import { usedBy } from '../process.ts';
import { makeQuery } from '../queries.ts';
import { percentile } from '../statistics.ts';

/** A catalog of one size, with an API that serves it. */
export interface Grown extends AsyncDisposable {
  readonly installation: Installation;
  readonly entries: readonly Entry[];
  readonly api: Process;
  /** From the command to the banner. */
  readonly startS: number;
}

/** What searches of one size take, one after the other, in milliseconds; and the memory of the API after them. */
export interface Searched {
  readonly p50: number;
  readonly p95: number;
  /** Of those for one letter. */
  readonly broadP95: number;
  readonly residentMb: number;
}

const EVENTS_PER_ENTRY = 1.5;
const WARMING_MS = 5000;
const SEARCHING_MS = 10_000;
const QUERIES = 2000;

/** Fills a catalog, times a start over it, and leaves an API running. */
export async function growTo(count: number, say: (what: string) => void): Promise<Grown> {
  await using made = new AsyncDisposableStack();
  const installation = made.use(await install({ CATALOG_SAMPLE: 'off' }));
  const events = count * EVENTS_PER_ENTRY;
  const entries = await fillCatalog({ installation, env: installation.env }, { entries: count, events, say });
  say(`starting over ${count} entries`);
  const startS = await startSeconds(installation);
  const api = made.use(
    await startMeasured('ours.ts', {
      env: { ...installation.env, LOG_LEVEL: 'info' },
      log: join(installation.folder, 'access.log'),
    }),
  );
  const kept = made.move();
  return { installation, entries, api, startS, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function startSeconds(installation: Installation): Promise<number> {
  const began = performance.now();
  const service = installation.start(['start']);
  await service.printed('Ctrl-C stops.');
  const seconds = (performance.now() - began) / 1000;
  await service.stop();
  return seconds;
}

export async function searchAll({ api, entries }: Grown): Promise<Searched> {
  const random = createRandom('growth');
  const queries = Array.from({ length: QUERIES }, () => makeQuery(entries, random));
  const paths = queries.map(({ q }) => `/search?${String(new URLSearchParams({ q }))}`);
  using asking = startAsking(api, paths);
  await asking.run({ atOnce: 1 }, WARMING_MS);
  const { latencies, indexes } = await asking.run({ atOnce: 1 }, SEARCHING_MS);
  const broad = latencies.filter((_, at) => queries[(indexes[at] ?? 0) % QUERIES]?.isBroad);
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    broadP95: percentile(broad, 0.95),
    residentMb: usedBy(api.pid).residentMb,
  };
}

export interface Asking extends Disposable {
  /** Throws where an answer is not 200. */
  run(load: Run['load'], durationMs: number): Promise<Measured>;
}

/** Asks for these paths round and round, in the names of all keys; request `i` is for path `i`, modulo their number. */
export function startAsking({ port, keys }: Process, paths: readonly string[]): Asking {
  const requests = paths.map((path, index) => ({
    path: `/api/v1${path}`,
    headers: { 'x-api-key': keys[index % keys.length] ?? '' },
  }));
  const generator = startLoad(port, requests);
  return {
    run: async (load, durationMs) => {
      const measured = await generator.run(load, durationMs);
      const { statuses, latencies } = measured;
      if (statuses[200] !== latencies.length) throw new Error(`answered with ${JSON.stringify(statuses)}`);
      return measured;
    },
    [Symbol.dispose]: () => generator[Symbol.dispose](),
  };
}
