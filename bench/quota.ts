import { startInstances, type Instances } from './counting/instances.ts';
import type { Counted, Run } from './counting/messages.ts';
import { atLeast, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';

/**
 * Counting requests in two processes on one file, with one hot key and with 1,000 keys: the quota as it is shipped,
 * beside one atomic increment in the store for each request.
 */
export const quota: Benchmark = {
  name: 'quota',
  title: 'Counting requests in two processes, beside one increment for each',
  run,
};

const PROCESSES = 2;
const SLICE_MS = 2000;
const WARMING_SLICES = 2;
const GOAL = 3;
const OPERATIONS_GOAL = 0.1;
/** No slice comes near it: refusals would be another measurement. */
const UNLIMITED = 1_000_000_000;
const LIMIT = 1000;

const HOT = ['k_hot'];
const MANY = Array.from({ length: 1000 }, (_, number) => `k_${number}`);

const SLICE: Run = {
  how: 'allotments',
  keys: HOT,
  atOnce: 64,
  durationMs: SLICE_MS,
  requests: Number.MAX_SAFE_INTEGER,
  limit: UNLIMITED,
  givesBack: false,
};

async function run({ pairs, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using instances = startInstances(PROCESSES);
  return [
    ...(await compare('one hot key', HOT, { instances, pairs, say })),
    ...(await compare('1,000 keys', MANY, { instances, pairs, say })),
    await givenBack(instances),
    await admitted(instances),
  ];
}

async function compare(
  name: string,
  keys: readonly string[],
  { instances, pairs, say }: BenchmarkOptions & { readonly instances: Instances },
): Promise<readonly Figure[]> {
  const operations: Counted[] = [];
  const ours = async (): Promise<number> => {
    const counted = await instances.run({ ...SLICE, keys });
    operations.push(counted);
    return perSecond(counted);
  };
  const peer = async (): Promise<number> =>
    perSecond(await instances.run({ ...SLICE, keys, how: 'increments' }));
  say(`${name}: warming up`);
  for (let slice = 0; slice < WARMING_SLICES; slice += 1) {
    await ours();
    await peer();
  }
  operations.length = 0;
  const ratios: number[] = [];
  const same: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // A B A or B A A: neither the order nor a drift of the machine decides.
    const first = pair % 2 === 0 ? await ours() : null;
    const b = await peer();
    const second = await ours();
    const third = first ?? (await ours());
    ratios.push((second + third) / 2 / b);
    same.push(third / second);
    if (pair % 5 === 4) say(`${name}: ${pair + 1} of ${pairs} pairs`);
  }
  return [
    ...atLeast(`${name}: requests per second, to those of the peer`, GOAL, ratios, same),
    perRequest(`${name}: operations of the store per request`, operations),
  ];
}

/** Requests that cost nothing in the end, as those answered with 304: one at a time for each process. */
async function givenBack(instances: Instances): Promise<Figure> {
  const counted = await instances.run({ ...SLICE, keys: ['k_polled'], atOnce: 1, givesBack: true });
  return perRequest('one key, every request given back: operations per request', [counted]);
}

/** Twice as many as there are to be had. */
async function admitted(instances: Instances): Promise<Figure> {
  const keys = Array.from({ length: 20 }, (_, number) => `k_limited_${number}`);
  const requests = keys.length * LIMIT;
  const { granted } = await instances.run({ ...SLICE, keys, requests, limit: LIMIT, durationMs: 600_000 });
  const limit = keys.length * LIMIT;
  return {
    name: `granted, of ${requests * PROCESSES} requests of ${keys.length} keys`,
    value: String(granted),
    goal: `exactly ${limit}`,
    verdict: granted === limit ? 'met' : 'missed',
  };
}

function perSecond({ requests, tookMs }: Counted): number {
  return (requests * 1000) / tookMs;
}

function perRequest(name: string, slices: readonly Counted[]): Figure {
  const operations = slices.reduce((sum, slice) => sum + slice.operations, 0);
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  const value = operations / requests;
  return {
    name,
    value: `${shown(value)} (${requests} requests)`,
    goal: `at most ${OPERATIONS_GOAL}`,
    verdict: value <= OPERATIONS_GOAL ? 'met' : 'missed',
  };
}
