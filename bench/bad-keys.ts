import { newKey } from '../src/access/keys/format.ts';
import { byCpu, listingOf } from './cached-listing.ts';
import { GOALS } from './goals.ts';
import { startApi } from './http/catalog.ts';
import type { Load } from './http/measured.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, informing, shown } from './report.ts';
import { median, percentile } from './statistics.ts';

/** Good traffic with four times as much beside it whose keys nobody was given. */
export const badKeys: Benchmark = {
  name: 'P11',
  title: 'Good requests beside bad keys, and what a 401 costs',
  run,
};

const WARMING = 3;
const BAD_PER_GOOD = 4;
/** On each side requests come at this part of what the service can answer. */
const LOAD = 0.5;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using api = await startApi({ stores, say });
  const slug = api.slugs[0] ?? '';
  using good = api.load(listingOf(slug, api.keys));
  // Of a wrong length, with characters that no key has, and with a checksum that does not hold.
  const wrong = ['cat_live_', newKey().replace(/.$/, '_'), mistyped(newKey())];
  using bad = api.load(listingOf(slug, wrong));
  // From one process: two on one core would wait for each other, and that would be measured.
  using mixed = api.load(listingOf(slug, mixedKeys(api.keys, wrong)));
  const costs = await alternate({
    pairs,
    warming: WARMING,
    a: () => bad.slice(sliceMs, 401),
    b: () => good.slice(sliceMs),
    say,
  });
  const capacity = percentile(
    costs.map(({ b }) => b.perSecond),
    0.5,
  );
  const perSecond = capacity * LOAD;
  const ofAll = 1 + BAD_PER_GOOD;
  /** What the good ones of the mixture take without the others: the service has little to do then. */
  const few: number[] = [];
  const measured = await alternate({
    pairs,
    warming: 1,
    a: () => p99Of(mixed, perSecond, sliceMs, ofAll),
    b: async () => {
      few.push(await p99Of(good, perSecond / ofAll, sliceMs));
      return await p99Of(good, perSecond, sliceMs);
    },
    say,
  });
  const { ratios, same } = byCpu(costs);
  return [
    informing(
      'requests per second: the most good ones / as sent',
      `${shown(capacity)} / ${shown(perSecond)}`,
    ),
    ...compared(
      'P11: p99 of good requests among bad keys, to that of as many good ones',
      GOALS['P11 p99'],
      ratiosBy(measured, (p99) => p99),
    ),
    informing(
      `p99, ms: among bad keys / as many good ones / one in ${ofAll} of these`,
      [measured.map(({ a }) => median(a)), measured.map(({ b }) => b), few]
        .map((all) => shown(median(all)))
        .join(' / '),
    ),
    ...compared('P11: processor time of a 401, to that of a 200', GOALS['P11 cost of a 401'], {
      ratios: ratios.map((ratio) => 1 / ratio),
      same,
    }),
  ];
}

/** In milliseconds, of the first of every so many requests; the others are refused. */
async function p99Of({ generator }: Load, perSecond: number, ms: number, of = 1): Promise<number> {
  const { latencies, indexes, statuses } = await generator.run({ perSecond, even: true }, ms);
  const good = latencies.filter((_, answer) => (indexes[answer] ?? 0) % of === 0);
  const refused = latencies.length - good.length;
  if (statuses[200] !== good.length || (statuses[401] ?? 0) !== refused)
    throw new Error(`answered with ${JSON.stringify(statuses)}`);
  return percentile(good, 0.99);
}

/** Each good key, with bad ones behind it. */
function mixedKeys(good: readonly string[], bad: readonly string[]): readonly string[] {
  return good.flatMap((key, at) => [
    key,
    ...Array.from(
      { length: BAD_PER_GOOD },
      (_, behind) => bad[(at * BAD_PER_GOOD + behind) % bad.length] ?? '',
    ),
  ]);
}

function mistyped(key: string): string {
  return key.endsWith('0') ? key.replace(/0$/, '1') : key.replace(/.$/, '0');
}
