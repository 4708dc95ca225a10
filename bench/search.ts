import { createRandom } from '../src/sample/random.ts';
import { GOALS } from './goals.ts';
import { startApi } from './http/catalog.ts';
import { startLoad } from './load/generator.ts';
import type { Measured, Request } from './load/messages.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { makeQuery, type Query } from './queries.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  required,
  shown,
} from './report.ts';
import { median, percentile } from './statistics.ts';

/**
 * Search over 100,000 entries on the embedded default: how long it takes, broad prefixes included, one after the other;
 * and whether searches delay listings. There, one process sends both at a steady rate, searches at this part of as many as the
 * index answers: two on one core would wait for each other, and that would be measured. Slices with and without searches alternate.
 */
export const search: Benchmark = {
  name: 'search',
  title: 'Search over 100,000 entries, and listings beside it',
  run,
};

const ENTRIES = 100_000;
const PER_SECOND = 1000;
const LOAD = 0.3;
const SEARCH_LIMIT_MS = 300;
/** More than are asked for, so that none is asked twice. */
const SEARCHES = 30_000;
/** Of a sender that goes round and round. */
const LISTINGS = 100_000;
/** Searches one after the other, so long; at first caches are filled and code is compiled. */
const WARMING_SLICES = 4;
const SEARCH_SLICES = 8;
const WARMING = 2;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  // A thread of the index is of use where there is a core for it.
  const size = { entries: ENTRIES, events: 3 * ENTRIES };
  await using api = await startApi({ stores, ...size, onAllCores: true, say });
  const random = createRandom('search');
  const queries = Array.from({ length: SEARCHES }, () => makeQuery(api.entries, random));
  const first = searchRequests(queries.slice(0, SEARCHES / 2), api.keys);
  using searchLoad = startLoad(api.port, first);
  say('searches one after the other');
  const searches: Measured[] = [];
  for (let slice = 0; slice < WARMING_SLICES + SEARCH_SLICES; slice += 1) {
    const searched = checked(await searchLoad.run({ atOnce: 1 }, sliceMs));
    if (slice >= WARMING_SLICES) searches.push(searched);
  }
  const most = median(searches.map(({ latencies: all, tookMs }) => (1000 * all.length) / tookMs));
  const listings = listingRequests(api.slugs, api.keys);
  const every = Math.round(PER_SECOND / (most * LOAD));
  const others = searchRequests(queries.slice(SEARCHES / 2), api.keys);
  using alone = startLoad(api.port, listings);
  using mixed = startLoad(
    api.port,
    listings.map((listing, at) => (at % every === 0 ? (others[at / every] ?? listing) : listing)),
  );
  const p99Of = async (load: typeof alone): Promise<number> => {
    const answered = checked(await load.run({ perSecond: PER_SECOND }, sliceMs));
    // The same places are left out on both sides.
    return percentile(
      answered.latencies.filter((_, answer) => (answered.indexes[answer] ?? 0) % every !== 0),
      0.99,
    );
  };
  const a = (): Promise<number> => p99Of(mixed);
  const measured = await alternate({ pairs, warming: WARMING, a, b: () => p99Of(alone), say });
  return [
    ...latencies('searches', searches, () => true),
    ...latencies('of these, one letter', searches, (index) => queries[index]?.isBroad ?? false),
    informing(
      'searches per second: the most, one after the other / beside listings',
      `${shown(most)} / ${shown(PER_SECOND / every)}`,
    ),
    ...compared(
      'listings beside searches, p99 to p99 alone',
      GOALS['listings beside searches'],
      ratiosBy(measured, (p99) => p99),
    ),
    informing(
      'p99 of listings, ms: beside searches / alone',
      [measured.flatMap(({ a: both }) => [...both]), measured.map(({ b }) => b)]
        .map((all) => shown(median(all)))
        .join(' / '),
    ),
  ];
}

function latencies(
  name: string,
  searches: readonly Measured[],
  wanted: (index: number) => boolean,
): readonly Figure[] {
  const chosen = searches.flatMap(({ indexes, latencies: all }) =>
    [...all].filter((_, at) => wanted(indexes[at] ?? 0)),
  );
  const p95 = percentile(chosen, 0.95);
  const value = [0.5, 0.95, 1].map((p) => shown(percentile(chosen, p))).join(' / ');
  const of = `${name}: p50 / p95 / longest, ms (${chosen.length})`;
  return [required(of, value, `p95 under ${SEARCH_LIMIT_MS}`, p95 < SEARCH_LIMIT_MS)];
}

/** Only good answers count: what is refused quickly is not fast. */
function checked(measured: Measured): Measured {
  const bad = Object.keys(measured.statuses).filter((status) => status !== '200');
  if (bad.length > 0) throw new Error(`answered with ${JSON.stringify(measured.statuses)}`);
  return measured;
}

function listingRequests(slugs: readonly string[], keys: readonly string[]): readonly Request[] {
  const random = createRandom('listings');
  return Array.from({ length: LISTINGS }, (_, number) => ({
    // Few entries are asked for often, most of them rarely.
    path: `/api/v1/listings/${slugs[Math.floor(slugs.length ** random.uniform()) % slugs.length]}`,
    headers: { 'x-api-key': keys[number % keys.length] ?? '' },
  }));
}

function searchRequests(queries: readonly Query[], keys: readonly string[]): readonly Request[] {
  return queries.map(({ q, kind }, number) => ({
    path: `/api/v1/search?${String(new URLSearchParams({ q, ...(kind === null ? {} : { kind }) }))}`,
    headers: { 'x-api-key': keys[number % keys.length] ?? '' },
  }));
}
