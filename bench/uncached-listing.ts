import type { JsonObject } from '../src/platform/json-value.ts';
import { GOALS } from './goals.ts';
import { type MeasuredApi, startApi } from './http/catalog.ts';
import { type Measured, startMeasured } from './http/measured.ts';
import { inTurns, requireAnswered } from './load/generator.ts';
import { alternateLoads, ratiosBy } from './pairs.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  required,
  shown,
  shownRatio,
  sides,
} from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';

/** Listings that are in no cache, beside Express as it comes, which finds each document by the driver and makes its JSON anew. */
export const uncachedListing: Benchmark = {
  name: 'P3',
  title: 'A listing that is in no cache, beside Express with a find and a stringify',
  on: 'both',
  run,
};

/** In turns, so many that none is in a cache any more when its turn comes again. */
const SIZE = sizeOr({ entries: 40_000, events: 120_000 });
/** Requests for one listing at the same moment. */
const AT_ONCE = 64;
const ROUNDS = 20;

async function* run(options: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using api = await startApi({ ...options, ...SIZE });
  await using peer = await startMeasured('http/find-one.ts', { env: api.env });
  await answersTheSame(api, peer);
  const paths = api.slugs.map((slug) => `/listings/${slug}`);
  const asked = inTurns(api.keys, paths);
  await using load = await api.load(asked);
  await using peerLoad = await peer.load(asked);
  const measured = await alternateLoads(options, load, peerLoad);
  const reads = measured.flatMap(({ a }) => a.map((slice) => slice.stores.operations / slice.requests));
  yield [
    ...compared(
      'P3: requests per second of processor time',
      GOALS.P3,
      ratiosBy(measured, ({ cpuPerRequest }) => 1 / cpuPerRequest),
    ),
    sides('processor time a request, µs: ours / the peer', measured, ({ cpuPerRequest }) => cpuPerRequest),
    sides('requests per second: ours / the peer', measured, ({ perSecond }) => perSecond),
    informing(
      'requests per second, ratio',
      shownRatio(ratiosBy(measured, ({ perSecond }) => perSecond).ratios),
    ),
    informing('reads of the store a request', shown(median(reads))),
    await oneFlight(api),
  ];
}

/** A peer that finds nothing, or something else, would be compared all the same. */
async function answersTheSame(api: MeasuredApi, peer: Measured): Promise<void> {
  const [slug = ''] = api.slugs;
  const headers = { 'x-api-key': api.keys[0] ?? '' };
  const [ours, theirs] = await Promise.all(
    [api, peer].map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/listings/${slug}`, { headers });
      if (answer.status !== 200) throw new Error(`a listing was answered with ${answer.status}`);
      const { kind, username } = (await answer.json()) as JsonObject;
      return JSON.stringify({ kind, username });
    }),
  );
  if (ours !== theirs) throw new Error(`the peer answers ${theirs} where the API answers ${ours}`);
}

/** Many ask for one listing at the same moment, which nobody has asked for before. */
async function oneFlight(api: MeasuredApi): Promise<Figure> {
  const most: number[] = [];
  for (const slug of api.slugs.slice(0, ROUNDS)) {
    await using load = await api.load(inTurns(api.keys, [`/listings/${slug}`]));
    const before = await api.used();
    requireAnswered(await load.generator.run({ atOnce: AT_ONCE }, 0));
    most.push((await api.used()).stores.listingReads - before.stores.listingReads);
  }
  const reads = median(most);
  return required(
    `reads for ${AT_ONCE} requests at one moment, median of ${ROUNDS}`,
    String(reads),
    '1',
    reads <= 1,
  );
}
