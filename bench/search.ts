import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PublishedView } from '../projections/listings/document.ts';
import { searchEntry } from '../projections/listings/search-entry.ts';
import { readCategories } from '../src/sample/catalog.ts';
import { createRandom, oneOf } from '../src/sample/random.ts';
import { leastEvents, simulatedHistory } from '../src/sample/simulated/history.ts';
import { knowledgeOf } from '../src/stores/search/query/knowledge.ts';
import { shippedSynonyms } from '../src/stores/search/query/synonyms.ts';
import { parseQuery } from '../src/stores/search/query/parse-query.ts';
import type { Search, SearchEntry } from '../src/stores/search/port.ts';
import { openSqliteSearch } from '../src/stores/search/sqlite.ts';
import { type Entry, HISTORY } from './filling.ts';
import { GOALS } from './goals.ts';
import { makeQuery, type Query } from './queries.ts';
import { type Benchmark, type BenchmarkOptions, type Figure, informing, plain, shown } from './report.ts';
import { percentile } from './statistics.ts';

/** Searches in the embedded engine, one after the other, none of them twice. */
export const search: Benchmark = {
  name: 'search',
  title: 'Search over 100,000 entries',
  run,
};

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 100_000);
const SORTS = ['all sorts', 'one letter'] as const;
type Sort = (typeof SORTS)[number];
const INDEX = 'listings@1';
/** Entries in one put. */
const BATCH = 10_000;
const WARMING = 2;
/** In a slice: enough that its p95 does not hang on one of them. */
const QUERIES = 100;

async function* run({ pairs, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-search-'));
  await using engine = openSqliteSearch(join(folder.path, 'search.db'));
  const entries = await fill(engine, say);
  const ask = asker(engine);
  for (const sort of SORTS) {
    say(sort);
    const random = createRandom(sort);
    for (let turn = 0; turn < WARMING; turn += 1) await ask(queries(entries, sort, random));
    const times: number[] = [];
    for (let turn = 0; turn < 2 * pairs; turn += 1)
      times.push(...(await ask(queries(entries, sort, random))));
    yield [
      plain(`${sort}: p95, ms`, percentile(times, 0.95), GOALS.search),
      informing(`${sort}: mean, ms`, shown(times.reduce((sum, ms) => sum + ms, 0) / times.length)),
    ];
  }
}

/** As a projector would make them, but for what was measured: instead of that they have some score. */
async function fill(engine: Search, say: (what: string) => void): Promise<readonly Entry[]> {
  const random = createRandom('scores');
  const history = { ...HISTORY, entries: ENTRIES, events: leastEvents(ENTRIES) };
  const found: Entry[] = [];
  const made: SearchEntry[] = [];
  for (const { type, subject: slug, data } of simulatedHistory(history)) {
    if (type !== 'catalog.entry.published.v1') continue;
    const score = { value: Math.round(random.uniform() * 1000) / 10 };
    const view = { category: null, ...data, published: true, score } as unknown as PublishedView;
    made.push(...[searchEntry(slug, view) ?? []].flat());
    const titles = [view.title.ru, view.title.en].filter((text) => typeof text === 'string');
    found.push({ slug, username: view.username, titles });
  }
  say(`${made.length} entries`);
  await engine.declare(INDEX);
  for (let at = 0; at < made.length; at += BATCH) {
    const applied = await engine.put(INDEX, made.slice(at, at + BATCH));
    if (applied.outcome === 'failed') throw new Error(applied.reason);
  }
  // As a feed does once it has told it everything.
  await engine.seal(INDEX, 'whole', []);
  return found;
}

function queries(
  entries: readonly Entry[],
  sort: Sort,
  random: ReturnType<typeof createRandom>,
): readonly Query[] {
  const made: Query[] = [];
  while (made.length < QUERIES) {
    const query = makeQuery(oneOf(random, entries), random);
    if (sort === 'all sorts' || query.isBroad) made.push(query);
  }
  return made;
}

/** Asks one query after the other; returns how long each took, in milliseconds. */
function asker(engine: Search): (queries: readonly Query[]) => Promise<readonly number[]> {
  const knowledge = knowledgeOf(
    shippedSynonyms(),
    readCategories().map(({ slug, title }) => ({ slugs: [slug], titles: [title.ru, title.en] })),
  );
  return async (queriesOfTurn) => {
    const times: number[] = [];
    for (const { q, kind } of queriesOfTurn) {
      const began = performance.now();
      await engine.query(INDEX, {
        q,
        understood: parseQuery(q, knowledge),
        filter: kind === null ? {} : { kind },
        exclude: [],
        offset: 0,
        limit: 20,
      });
      times.push(performance.now() - began);
    }
    return times;
  };
}
