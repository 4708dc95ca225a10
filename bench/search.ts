import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readCategories } from '../src/sample/catalog.ts';
import { createRandom } from '../src/sample/random.ts';
import { knowledgeOf } from '../src/stores/search/query/knowledge.ts';
import { shippedSynonyms } from '../src/stores/search/query/shipped.ts';
import { parseQuery } from '../src/stores/search/query/parse-query.ts';
import type { Search, SearchQuery } from '../src/stores/search/port.ts';
import type { Entry } from './filling.ts';
import { GOALS } from './goals.ts';
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
import { filled, INDEX } from './search-before/filled.ts';
import { checkOut, ROOT } from './search-before/release.ts';
import { type Simulated, simulatedViews } from './search-before/views.ts';
import { percentile } from './statistics.ts';

/**
 * Search beside what it was before queries were understood: the sources of then, taken from the repository's history, with an
 * index of their own of the same entries, in files or on one Meilisearch. Both are asked the very same queries in turns, in one
 * process: a few queries make a p95, and others would make another one.
 */
export const search: Benchmark = {
  name: 'search',
  title: 'Search over 100,000 entries, beside search as it was before queries were understood',
  on: 'both',
  run,
};

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 100_000);
const SORTS = ['all sorts', 'one letter'] as const;
type Sort = (typeof SORTS)[number];
/** On files, in milliseconds. */
const MOST_P95 = 300;
const WARMING = 2;
/** In a slice: some seconds' worth, and enough that its p95 does not hang on one of them. */
const QUERIES = 100;

async function run({ pairs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-search-before-'));
  try {
    const earlier = join(folder, 'release');
    checkOut(earlier);
    const views = simulatedViews(ENTRIES);
    say(`${views.length} entries for both indexes`);
    await using before = await filled(earlier, join(folder, 'before.db'), stores, views);
    await using now = await filled(ROOT, join(folder, 'now.db'), stores, views);
    const remembers = stores.search === null;
    const askNow = asker(now, { understands: true, remembers });
    const askBefore = asker(before, { understands: false, remembers });
    const entries = views.map(entryOf);
    const figures: Figure[] = [];
    for (const name of SORTS) {
      say(name);
      const queriesOf = (turn: number): readonly Query[] => queries(entries, name, turn);
      const measured = await alternate({
        pairs,
        warming: WARMING,
        a: async (turn) => await askNow(queriesOf(turn)),
        b: async (turn) => await askBefore(queriesOf(turn)),
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
        ...(remembers ? [withinMost(name, percentile(both[1] ?? [], 0.95))] : []),
        informing(`${name}: p50 before and now, ms`, shownAt(0.5)),
        informing(`${name}: p95 before and now, ms`, shownAt(0.95)),
      );
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withinMost(name: Sort, p95: number): Figure {
  return required(`${name}: p95, ms`, shown(p95), `at most ${MOST_P95}`, p95 <= MOST_P95);
}

/** What both sides are asked in one turn. */
function queries(entries: readonly Entry[], sort: Sort, turn: number): readonly Query[] {
  const random = createRandom(`${sort} ${turn}`);
  const made: Query[] = [];
  while (made.length < QUERIES) {
    const query = makeQuery(entries, random);
    if (sort === 'all sorts' || query.isBroad) made.push(query);
  }
  return made;
}

/** Asks one query after the other; returns how long each took, in milliseconds. */
function asker(
  engine: Pick<Search, 'query'>,
  { understands, remembers }: { readonly understands: boolean; readonly remembers: boolean },
): (queries: readonly Query[]) => Promise<readonly number[]> {
  const knowledge = knowledgeOf(
    shippedSynonyms(),
    readCategories().map(({ slug, title }) => ({ slugs: [slug], titles: [title.ru, title.en] })),
  );
  let count = 0;
  return async (queriesOfTurn) => {
    const times: number[] = [];
    for (const { q, kind } of queriesOfTurn) {
      count += 1;
      const began = performance.now();
      const query: SearchQuery = {
        q,
        ...(understands ? { understood: parseQuery(q, knowledge) } : {}),
        filter: kind === null ? {} : { kind },
        // The release before answered a query that came again from memory.
        exclude: remembers ? [`none-${count}`] : [],
        offset: 0,
        limit: 20,
      };
      await engine.query(INDEX, query);
      times.push(performance.now() - began);
    }
    return times;
  };
}

function entryOf({ slug, view: { username, title } }: Simulated): Entry {
  return { slug, username, titles: [title.ru, title.en].filter((text) => typeof text === 'string') };
}
