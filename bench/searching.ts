import { createRandom, oneOf } from '../src/sample/random.ts';
import { GOALS } from './goals.ts';
import { startApi } from './http/catalog.ts';
import { startMeasured } from './http/measured.ts';
import { inTurns, requireAnswered, startLoad } from './load/generator.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { makeQuery } from './queries.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, sides } from './report.ts';
import { sizeOr } from './size.ts';
import { percentile } from './statistics.ts';

/** What a search costs beside the engine that is asked the same: for the first time, and when others have asked it before. */
export const searching: Benchmark = {
  name: 'P4',
  title: 'Searches, beside the engine that is asked directly',
  on: 'both',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 60_000 });
/** More than are asked for in all slices, so that none is asked twice. */
const FIRST = 120_000;
/** So few that their answers stay in memory. */
const REPEATED = 20;
const WARMING = 2;
const AT_ONCE = 2;

interface Slice {
  readonly p50: number;
  readonly perSecond: number;
}

async function* run({ pairs, sliceMs, stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using api = await startApi({ stores, ...SIZE, say });
  await using peer = await startMeasured('http/search-alone.ts', { env: api.env });
  const random = createRandom('P4');
  const texts = new Set<string>();
  // One that was made before gets a word of its own: else it would be a repeated one.
  for (let made = 0; made < FIRST; made += 1) {
    const { q } = makeQuery(oneOf(random, api.entries), random);
    texts.add(texts.has(q) ? `${q} ${made}` : q);
  }
  const measure = async (
    kind: 'first' | 'repeated',
    [asked, ofPeer]: readonly [readonly string[], readonly string[]],
  ) => {
    say(`${kind} searches`);
    const requests = (queries: readonly string[]) =>
      inTurns(
        api.keys,
        queries.map((q) => `/search?${String(new URLSearchParams({ q }))}`),
      );
    await using ours = await startLoad(api.port, requests(asked));
    await using theirs = await startLoad(peer.port, requests(ofPeer));
    const slice = async (load: typeof ours): Promise<Slice> => {
      const answered = await load.run({ atOnce: AT_ONCE }, sliceMs);
      requireAnswered(answered);
      const { latencies, tookMs } = answered;
      return { p50: percentile(latencies, 0.5), perSecond: (1000 * latencies.length) / tookMs };
    };
    return await alternate({ pairs, warming: WARMING, a: () => slice(ours), b: () => slice(theirs), say });
  };
  const queries = [...texts];
  const half = queries.length / 2;
  const first = await measure('first', [queries.slice(0, half), queries.slice(0, half)]);
  // What a repeated one saves is a search that the engine has not made yet: it may remember those that it has.
  const repeated = await measure('repeated', [queries.slice(0, REPEATED), queries.slice(half)]);
  yield [
    ...compared(
      'P4: p50 of a first search',
      GOALS['P4 first'],
      ratiosBy(first, ({ p50 }) => p50),
    ),
    ...compared(
      'P4: repeated searches a second',
      GOALS['P4 repeated'],
      ratiosBy(repeated, ({ perSecond }) => perSecond),
    ),
    sides('searches a second: repeated / new ones of the engine', repeated, ({ perSecond }) => perSecond),
    sides('p50 of a first search, ms: ours / the engine', first, ({ p50 }) => p50),
  ];
}
