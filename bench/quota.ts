import { startInstances, type Instances } from './counting/instances.ts';
import type { Counted, Run } from './counting/messages.ts';
import { GOALS } from './goals.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, required, shown } from './report.ts';

/**
 * Counting requests in two processes on one file, with one hot key and with 1,000 keys: the quota as it is shipped,
 * beside one atomic increment in the store for each request.
 */
export const quota: Benchmark = {
  name: 'P10',
  title: 'Counting requests in two processes, beside one increment for each',
  isQuick: true,
  run,
};

const PROCESSES = 2;
const WARMING = 2;
const OPERATIONS_GOAL = 0.1;
/** No slice comes near it: refusals would be another measurement. */
const UNLIMITED = 1_000_000_000;
const LIMIT = 1000;

const HOT = ['k_hot'];
const MANY = Array.from({ length: 1000 }, (_, number) => `k_${number}`);

const SLICE: Omit<Run, 'durationMs'> = {
  how: 'allotments',
  keys: HOT,
  atOnce: 64,
  requests: Number.MAX_SAFE_INTEGER,
  limit: UNLIMITED,
  givesBack: false,
};

async function run(options: BenchmarkOptions): Promise<readonly Figure[]> {
  await using instances = startInstances(PROCESSES);
  return [
    ...(await compare('one hot key', HOT, instances, options)),
    ...(await compare('1,000 keys', MANY, instances, options)),
    await givenBack(instances, options.sliceMs),
    await admitted(instances),
  ];
}

async function compare(
  name: string,
  keys: readonly string[],
  instances: Instances,
  { pairs, sliceMs, say }: BenchmarkOptions,
): Promise<readonly Figure[]> {
  const slice = { ...SLICE, keys, durationMs: sliceMs };
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => instances.run(slice),
    b: () => instances.run({ ...slice, how: 'increments' }),
    say: (what) => say(`${name}: ${what}`),
  });
  return [
    ...compared(`P10, ${name}: requests per second`, GOALS.P10, ratiosBy(measured, perSecond)),
    perRequest(
      `${name}: operations of the store per request`,
      measured.flatMap(({ a }) => [...a]),
    ),
  ];
}

/** Requests that cost nothing in the end, as those answered with 304: one at a time for each process. */
async function givenBack(instances: Instances, sliceMs: number): Promise<Figure> {
  const polled = { ...SLICE, keys: ['k_polled'], atOnce: 1, givesBack: true, durationMs: sliceMs };
  const counted = await instances.run(polled);
  return perRequest('one key, every request given back: operations per request', [counted]);
}

/** Twice as many as there are to be had. */
async function admitted(instances: Instances): Promise<Figure> {
  const keys = Array.from({ length: 20 }, (_, number) => `k_limited_${number}`);
  const requests = keys.length * LIMIT;
  const { granted } = await instances.run({ ...SLICE, keys, requests, limit: LIMIT, durationMs: 600_000 });
  const limit = keys.length * LIMIT;
  const name = `granted, of ${requests * PROCESSES} requests of ${keys.length} keys`;
  return required(name, String(granted), `exactly ${limit}`, granted === limit);
}

function perSecond({ requests, tookMs }: Counted): number {
  return (requests * 1000) / tookMs;
}

function perRequest(name: string, slices: readonly Counted[]): Figure {
  const operations = slices.reduce((sum, slice) => sum + slice.operations, 0);
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const value = operations / requests;
  const goal = `at most ${OPERATIONS_GOAL}`;
  return required(name, `${shown(value)} (${requests} requests)`, goal, value <= OPERATIONS_GOAL);
}
