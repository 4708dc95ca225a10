import { GOALS } from './goals.ts';
import { cannedOf } from './http/canned.ts';
import { startApi } from './http/catalog.ts';
import { type Slice, startMeasured } from './http/measured.ts';
import type { Asked } from './http/messages.ts';
import { alternate, type Pair, ratiosBy } from './pairs.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  shown,
  shownRatio,
} from './report.ts';
import { median } from './statistics.ts';

/** One listing that is asked for over and over: what a request costs beside what it would cost without us. */

/** Beside `node:http` alone, with the same bytes and as many headers. */
export const besideRaw: Benchmark = {
  name: 'P1',
  title: 'A cached listing, beside raw node:http',
  isQuick: true,
  run: async (options) => await run(options, 'P1'),
};

/** Beside Express as it comes, which makes the JSON for each request, without key, quota or log. */
export const besideExpress: Benchmark = {
  name: 'P1b',
  title: 'A cached listing, beside stock Express',
  isQuick: true,
  run: async (options) => await run(options, 'P1b'),
};

const WARMING = 3;

async function run(
  { pairs, sliceMs, stores, say }: BenchmarkOptions,
  name: 'P1' | 'P1b',
): Promise<readonly Figure[]> {
  await using api = await startApi({ stores, say });
  const asked = listingOf(api.slugs[0] ?? '', api.keys);
  const [first] = asked;
  if (!first) throw new Error('there is no key');
  const canned = await cannedOf(api.port, first);
  await using peer =
    name === 'P1'
      ? await startMeasured('raw.ts', { arguments: [JSON.stringify(canned)] })
      : await startMeasured('stock-express.ts', { arguments: [canned.body] });
  using load = api.load(asked);
  using peerLoad = peer.load(asked);
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => load.slice(sliceMs),
    b: () => peerLoad.slice(sliceMs),
    say,
  });
  return [
    ...compared(`${name}: requests per second of processor time`, GOALS[name], byCpu(measured)),
    ...told(measured),
  ];
}

/** The same listing with each of the keys in turn. */
export function listingOf(
  slug: string,
  keys: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Asked {
  return keys.map((key) => ({ path: `/api/v1/listings/${slug}`, headers: { 'x-api-key': key, ...more } }));
}

export function byCpu(measured: readonly Pair<Slice>[]): ReturnType<typeof ratiosBy> {
  return ratiosBy(measured, ({ cpuPerRequest }) => 1 / cpuPerRequest);
}

/** Beside the ratio, for people. */
export function told(measured: readonly Pair<Slice>[]): readonly Figure[] {
  const middle = (valueOf: (slice: Slice) => number): string =>
    [measured.flatMap(({ a }) => [...a]), measured.map(({ b }) => b)]
      .map((slices) => shown(median(slices.map(valueOf))))
      .join(' / ');
  return [
    informing(
      'processor time a request, µs: ours / the peer',
      middle(({ cpuPerRequest }) => cpuPerRequest),
    ),
    informing(
      'requests per second: ours / the peer',
      middle(({ perSecond }) => perSecond),
    ),
    informing(
      'requests per second, ratio',
      shownRatio(ratiosBy(measured, ({ perSecond }) => perSecond).ratios),
    ),
  ];
}
