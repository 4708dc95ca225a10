import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCategories } from '../src/sample/catalog.ts';
import { createRandom } from '../src/sample/random.ts';
import { knowledgeOf } from '../src/stores/search/asking/knowledge.ts';
import { shippedSynonyms } from '../src/stores/search/asking/shipped.ts';
import { understand } from '../src/stores/search/asking/understand.ts';
import type { Search, SearchQuery } from '../src/stores/search/port.ts';
import type { Entry } from './filling.ts';
import { GOALS } from './goals.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { makeQuery, type Query } from './queries.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, informing, shown } from './report.ts';
import { filled, INDEX } from './search-before/filled.ts';
import { checkOut, ROOT } from './search-before/release.ts';
import { type Simulated, simulatedViews } from './search-before/views.ts';
import { percentile } from './statistics.ts';

/**
 * Search beside what it was before queries were understood: the sources of then, taken from the repository's history, with an
 * index of their own of the same entries, in files or on one Meilisearch. Both are asked the same sorts of queries in turns, in
 * one process.
 */
export const searchBefore: Benchmark = {
  name: 'search-before',
  title: 'Search, beside search as it was before queries were understood',
  on: 'both',
  run,
};

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 100_000);
const WARMING = 2;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-search-before-'));
  try {
    const earlier = join(folder, 'release');
    checkOut(earlier);
    const views = simulatedViews(ENTRIES);
    say(`${views.length} entries for both indexes`);
    await using before = await filled(earlier, join(folder, 'before.db'), stores, views);
    await using now = await filled(ROOT, join(folder, 'now.db'), stores, views);
    const figures: Figure[] = [];
    for (const name of ['all sorts', 'one letter'] as const) {
      say(name);
      const remembers = stores.search === null;
      const sides = {
        before: asker(before, views, name, { understands: false, remembers }),
        now: asker(now, views, name, { understands: true, remembers }),
      };
      const measured = await alternate({
        pairs,
        warming: WARMING,
        a: () => sides.now(sliceMs),
        b: () => sides.before(sliceMs),
        say,
      });
      const both = [measured.map(({ b }) => b), measured.flatMap(({ a }) => [...a])].map((all) => all.flat());
      const shownAt = (p: number) => both.map((times) => shown(percentile(times, p))).join(' and ');
      figures.push(
        ...compared(
          `${name}: p95, to p95 before`,
          GOALS['search, to before'],
          ratiosBy(measured, (times) => percentile(times, 0.95)),
        ),
        informing(`${name}: p50 before and now, ms`, shownAt(0.5)),
        informing(`${name}: p95 before and now, ms`, shownAt(0.95)),
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks one query after the other for so long; returns how long each took, in milliseconds. */
function asker(
  search: Pick<Search, 'query'>,
  views: readonly Simulated[],
  sort: 'all sorts' | 'one letter',
  { understands, remembers }: { readonly understands: boolean; readonly remembers: boolean },
): (ms: number) => Promise<readonly number[]> {
  const entries = views.map(entryOf);
  const random = createRandom(sort);
  const knowledge = knowledgeOf(
    shippedSynonyms(),
    readCategories().map(({ slug, title }) => ({ slugs: [slug], titles: [title.ru, title.en] })),
  );
  let count = 0;
  const next = (): Query => {
    for (;;) {
      const query = makeQuery(entries, random);
      if (sort === 'all sorts' || query.isBroad) return query;
    }
  };
  return async (ms) => {
    const times: number[] = [];
    const end = performance.now() + ms;
    while (performance.now() < end) {
      const { q, kind } = next();
      count += 1;
      const began = performance.now();
      const asked: SearchQuery = {
        q,
        ...(understands ? { understood: understand(q, knowledge) } : {}),
        filter: kind === null ? {} : { kind },
        // SQLite answers a query that comes again from memory; Meilisearch has no such memory.
        exclude: remembers ? [`none-${count}`] : [],
        offset: 0,
        limit: 20,
      };
      await search.query(INDEX, asked);
      times.push(performance.now() - began);
    }
    return times;
  };
}

function entryOf({ slug, view: { username, title } }: Simulated): Entry {
  return { slug, username, titles: [title.ru, title.en].filter((text) => typeof text === 'string') };
}
