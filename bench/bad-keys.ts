import { newKey } from '../src/access/keys/format.ts';
import { byCpu, listingOf } from './cached-listing.ts';
import { GOALS } from './goals.ts';
import { startApi } from './http/catalog.ts';
import type { Load } from './http/measured.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, informing, shown } from './report.ts';
import { percentile } from './statistics.ts';

/** Good traffic with four times as much beside it whose keys nobody was given. */
export const badKeys: Benchmark = {
  name: 'P11',
  title: 'Good requests beside bad keys, and what a 401 costs',
  run,
};

const WARMING = 3;
const BAD_PER_GOOD = 4;
/** Both together come at this part of what the service can answer. */
const LOAD = 0.5;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using api = await startApi({ stores, say });
  const slug = api.slugs[0] ?? '';
  using good = api.load(listingOf(slug, api.keys));
  // Of a wrong length, with characters that no key has, and with a checksum that does not hold.
  using bad = api.load(listingOf(slug, ['cat_live_', newKey().replace(/.$/, '_'), mistyped(newKey())]));
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
  const perSecond = (capacity * LOAD) / (1 + BAD_PER_GOOD);
  const alone = () => p99Of(good, perSecond, sliceMs);
  const beside = async (): Promise<number> => {
    const others = bad.generator.run({ perSecond: perSecond * BAD_PER_GOOD }, sliceMs);
    const p99 = await alone();
    await others;
    return p99;
  };
  const measured = await alternate({ pairs, warming: 1, a: beside, b: alone, say });
  const { ratios, same } = byCpu(costs);
  return [
    informing('good requests per second: the most / as sent', `${shown(capacity)} / ${shown(perSecond)}`),
    ...compared(
      'P11: p99 of good requests beside bad keys, to that alone',
      GOALS['P11 p99'],
      ratiosBy(measured, (p99) => p99),
    ),
    ...compared('P11: processor time of a 401, to that of a 200', GOALS['P11 cost of a 401'], {
      ratios: ratios.map((ratio) => 1 / ratio),
      same,
    }),
  ];
}

async function p99Of({ generator }: Load, perSecond: number, ms: number): Promise<number> {
  const { latencies } = await generator.run({ perSecond }, ms);
  return percentile(latencies, 0.99);
}

function mistyped(key: string): string {
  return key.endsWith('0') ? key.replace(/0$/, '1') : key.replace(/.$/, '0');
}
