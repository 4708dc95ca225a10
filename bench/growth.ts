import { type Grown, growTo, startAsking } from './growth/grown.ts';
import { GOALS } from './goals.ts';
import { requireAnswered } from './load/generator.ts';
import { alternate, ratiosBy } from './pairs.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  plain,
  shown,
} from './report.ts';
import { usedBy } from './process.ts';
import { median, percentile } from './statistics.ts';

/** The embedded default over more and more entries: what stays as it is, and what grows. */
export const growth: Benchmark = {
  name: 'growth',
  rows: ['P14'],
  title: 'Ten and a hundred times as many entries',
  run,
};

/** `BENCH_GROWTH` names others, a comma between them, the smallest first. A million takes half an hour and 12 GB of disk. */
const COUNTS = (process.env['BENCH_GROWTH'] ?? '10000,100000,1000000').split(',').map(Number);

/** What is to take as long whatever the size. */
const FLAT = ['listing', 'top', 'categories'] as const;
type Flat = (typeof FLAT)[number];
/** Of each. */
const PER_SECOND = 100;
const LISTINGS = 2000;
const WARMING = 3;

async function* run(options: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const all: Grown[] = [];
  for (const count of COUNTS) {
    const grown = stack.use(await growTo(count, options.say));
    all.push(grown);
    const size = `P14: ${grown.entries.length} entries`;
    yield [
      plain(`${size}: a start, s`, grown.startS, GOALS['P14 start']),
      informing(
        `${size}: on disk, KB: documents and index an entry, log an event`,
        grown.diskKb.map(shown).join(' / '),
      ),
    ];
  }
  const [first, ...larger] = all;
  if (!first) return;
  for (const grown of larger) {
    options.say(`${grown.entries.length} entries beside ${first.entries.length}`);
    yield await besideFirst(grown, first, options);
  }
  // Caches are filled by then. What is less than proportional is for people to see.
  const memories = all.map(({ api, entries }) => `${shown(usedBy(api.pid).residentMb)} (${entries.length})`);
  yield [informing('memory of the API, MB (entries)', memories.join(' / '))];
}

/** Both are asked in turns, each time for all that is to be flat. */
async function besideFirst(
  larger: Grown,
  smaller: Grown,
  { pairs, sliceMs, say }: BenchmarkOptions,
): Promise<readonly Figure[]> {
  await using ours = await startAsking(larger.api, flatPaths(larger));
  await using theirs = await startAsking(smaller.api, flatPaths(smaller));
  const slice = async (asking: typeof ours): Promise<Record<Flat, number>> => {
    const answered = await asking.run({ perSecond: FLAT.length * PER_SECOND }, sliceMs);
    requireAnswered(answered);
    const { latencies, indexes } = answered;
    const p50 = (kind: number): number =>
      percentile(
        latencies.filter((_, at) => (indexes[at] ?? 0) % FLAT.length === kind),
        0.5,
      );
    return { listing: p50(0), top: p50(1), categories: p50(2) };
  };
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => slice(ours),
    b: () => slice(theirs),
    say,
  });
  const times = shown(larger.entries.length / smaller.entries.length);
  return FLAT.flatMap((kind) => {
    const p50s = [measured.flatMap(({ a }) => [...a]), measured.map(({ b }) => b)];
    return [
      ...compared(
        `P14: p50 of ${kind}, ${times} times the entries`,
        GOALS.P14,
        ratiosBy(measured, (of) => of[kind]),
      ),
      informing(
        `p50 of ${kind}, ms: larger / smaller`,
        p50s.map((slices) => shown(median(slices.map((of) => of[kind])))).join(' / '),
      ),
    ];
  });
}

/** In the order of `FLAT`, over and over. */
function flatPaths({ entries }: Grown): readonly string[] {
  return entries
    .slice(0, LISTINGS)
    .flatMap(({ slug }) => [`/listings/${slug}`, '/top?limit=100', '/categories']);
}
