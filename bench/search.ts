import { createRandom } from '../src/sample/random.ts';
import { openCatalog, type Catalog } from './catalog.ts';
import { startLoad } from './load/generator.ts';
import type { Measured, Request } from './load/messages.ts';
import { makeQuery, type Query } from './queries.ts';
import { GOALS } from './goals.ts';
import { alternate, ratiosBy } from './pairs.ts';
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
 * and whether searches delay listings. There, both come at a steady rate: the searches at this part of as many as the
 * index answers. Slices with and without them alternate.
 */
export const search: Benchmark = {
  name: 'search',
  title: 'Search over 100,000 entries, and listings beside it',
  run,
};

const LISTINGS_PER_SECOND = 1000;
const LOAD = 0.3;
const SETTLING_MS = 500;
const SEARCH_LIMIT_MS = 300;
const SEARCHES = 20_000;
/** Searches one after the other, so long; at first caches are filled and code is compiled. */
const WARMING_SLICES = 4;
const SEARCH_SLICES = 8;
const WARMING = 2;

async function run({ pairs, sliceMs, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const random = createRandom('search');
  await using catalog = await openCatalog({ entries: 100_000, events: 300_000, say });
  const queries = Array.from({ length: SEARCHES }, () => makeQuery(catalog.entries, random));
  using listingLoad = startLoad(catalog.port, await listingRequests(catalog, pairs, sliceMs));
  using searchLoad = startLoad(catalog.port, await searchRequests(catalog, queries));
  say('searches one after the other');
  const searches: Measured[] = [];
  for (let slice = 0; slice < WARMING_SLICES + SEARCH_SLICES; slice += 1) {
    const searched = checked(await searchLoad.run({ atOnce: 1 }, sliceMs));
    if (slice >= WARMING_SLICES) searches.push(searched);
  }
  const most = median(searches.map(({ latencies: all, tookMs }) => (1000 * all.length) / tookMs));
  const alone = async (): Promise<number> => {
    const listed = await listingLoad.run({ perSecond: LISTINGS_PER_SECOND }, sliceMs);
    return percentile(checked(listed).latencies, 0.99);
  };
  const beside = async (): Promise<number> => {
    const [listings, searched] = await Promise.all([
      alone(),
      searchLoad.run({ perSecond: most * LOAD }, sliceMs),
    ]);
    checked(searched);
    // What searches leave behind (garbage, cold caches) is not to be counted as listings alone.
    await listingLoad.run({ perSecond: LISTINGS_PER_SECOND }, SETTLING_MS);
    return listings;
  };
  const measured = await alternate({ pairs, warming: WARMING, a: beside, b: alone, say });
  return [
    ...latencies('searches', searches, () => true),
    ...latencies('of these, one letter', searches, (index) => queries[index]?.isBroad ?? false),
    informing(
      'searches per second: the most, one after the other / beside listings',
      `${shown(most)} / ${shown(most * LOAD)}`,
    ),
    ...compared(
      'listings beside searches, p99 to p99 alone',
      GOALS['listings beside searches'],
      ratiosBy(measured, (p99) => p99),
    ),
    informing(
      'p99 of listings, ms: beside searches / alone',
      [measured.flatMap(({ a }) => [...a]), measured.map(({ b }) => b)]
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

async function listingRequests(
  catalog: Catalog,
  pairs: number,
  sliceMs: number,
): Promise<readonly Request[]> {
  const slices = (pairs * 3 + WARMING * 2) * sliceMs + (pairs * 2 + WARMING) * SETTLING_MS;
  const count = LISTINGS_PER_SECOND * (slices / 1000);
  const keys = await catalog.keys(Math.ceil((count * 1.1) / 1000));
  const random = createRandom('listings');
  return Array.from({ length: Math.ceil(count * 1.1) }, (_, number) => {
    // Few entries are asked for often, most of them rarely.
    const at = Math.floor(catalog.entries.length ** random.uniform());
    const slug = catalog.entries[at % catalog.entries.length]?.slug;
    return {
      path: `/api/v1/listings/${slug}`,
      headers: { 'x-api-key': keys[Math.floor(number / 1000) % keys.length] ?? '' },
    };
  });
}

async function searchRequests(catalog: Catalog, queries: readonly Query[]): Promise<readonly Request[]> {
  const keys = await catalog.keys(Math.ceil(queries.length / 1000));
  return queries.map(({ q, kind }, number) => {
    const parameters = new URLSearchParams({ q, ...(kind === null ? {} : { kind }) });
    return {
      path: `/api/v1/search?${String(parameters)}`,
      headers: { 'x-api-key': keys[Math.floor(number / 1000) % keys.length] ?? '' },
    };
  });
}
