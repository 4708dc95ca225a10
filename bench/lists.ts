import { byCpu, told } from './cached-listing.ts';
import { GOALS } from './goals.ts';
import { cannedOf } from './http/canned.ts';
import { type MeasuredApi, startApi } from './http/catalog.ts';
import { startMeasured } from './http/measured.ts';
import { alternate } from './pairs.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, informing } from './report.ts';

/** The lists, which are large: the leading hundred, and the trees of all categories. */
export const lists: Benchmark = {
  name: 'P5',
  title: 'The top and the categories, beside raw node:http',
  run,
};

const WARMING = 3;
const ENTRIES = 2000;
const EVENTS = 12_000;

async function run(options: BenchmarkOptions): Promise<readonly Figure[]> {
  await using api = await startApi({
    stores: options.stores,
    entries: ENTRIES,
    events: EVENTS,
    say: options.say,
  });
  return [
    ...(await besideRaw(api, '/api/v1/top?limit=100', options)),
    ...(await besideRaw(api, '/api/v1/categories', options)),
  ];
}

async function besideRaw(
  api: MeasuredApi,
  path: string,
  { pairs, sliceMs, say }: BenchmarkOptions,
): Promise<readonly Figure[]> {
  const asked = api.keys.map((key) => ({ path, headers: { 'x-api-key': key } }));
  const canned = await cannedOf(api.port, asked[0] ?? { path, headers: {} });
  await using raw = await startMeasured('raw.ts', { arguments: [JSON.stringify(canned)] });
  using load = api.load(asked);
  using rawLoad = raw.load(asked);
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => load.slice(sliceMs),
    b: () => rawLoad.slice(sliceMs),
    say,
  });
  return [
    informing(`${path}: bytes`, String(Buffer.byteLength(canned.body))),
    ...compared(`P5, ${path}: requests per second of processor time`, GOALS.P5, byCpu(measured)),
    ...told(measured),
  ];
}
