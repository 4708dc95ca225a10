import { byCpu, listingOf, told } from './cached-listing.ts';
import { GOALS } from './goals.ts';
import { cannedOf } from './http/canned.ts';
import { startApi } from './http/catalog.ts';
import { alternate } from './pairs.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, required, shown } from './report.ts';

/** A 304 for a tag that the caller named, beside the 200 that it saves. */
export const notModified: Benchmark = {
  name: 'P2',
  title: 'A listing that the caller has, beside the same listing sent',
  isQuick: true,
  run,
};

const WARMING = 3;
/** What is asked for is confirmed at its own pace, whatever comes: so much of it falls on a request here. */
const OPERATIONS_PER_REQUEST = 0.01;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using api = await startApi({ stores, say });
  const slug = api.slugs[0] ?? '';
  const asked = listingOf(slug, api.keys);
  const { headers } = await cannedOf(api.port, asked[0] ?? { path: '/', headers: {} });
  const etag = headers[headers.indexOf('ETag') + 1] ?? '';
  using whole = api.load(asked);
  using conditional = api.load(listingOf(slug, api.keys, { 'if-none-match': etag }));
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => conditional.slice(sliceMs, 304),
    b: () => whole.slice(sliceMs),
    say,
  });
  const slices = measured.flatMap(({ a }) => [...a]);
  const operations = slices.reduce((sum, { storeOperations }) => sum + storeOperations, 0);
  const requests = slices.reduce((sum, slice) => sum + slice.requests, 0);
  return [
    ...compared('P2: requests per second of processor time', GOALS.P2, byCpu(measured)),
    ...told(measured),
    required(
      'store operations per 304',
      `${shown(operations / requests)} (${operations} of ${requests} requests)`,
      `under ${OPERATIONS_PER_REQUEST}`,
      operations / requests < OPERATIONS_PER_REQUEST,
    ),
  ];
}
