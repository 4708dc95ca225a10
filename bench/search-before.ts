import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type * as Entries from '../projections/listings/search.ts';
import type { PublishedView } from '../projections/listings/document.ts';
import { readCategories } from '../src/sample/catalog.ts';
import { createRandom } from '../src/sample/random.ts';
import { leastEvents, simulatedHistory } from '../src/sample/simulated/history.ts';
import { knowledgeOf } from '../src/stores/search/asking/knowledge.ts';
import { shippedSynonyms } from '../src/stores/search/asking/shipped.ts';
import { understand } from '../src/stores/search/asking/understand.ts';
import type { SearchQuery } from '../src/stores/search/port.ts';
import type * as Sqlite from '../src/stores/search/sqlite.ts';
import type { Entry } from './filling.ts';
import { GOALS } from './goals.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { makeQuery, type Query } from './queries.ts';
import { type Benchmark, type BenchmarkOptions, compared, type Figure, informing, shown } from './report.ts';
import { percentile } from './statistics.ts';

/**
 * Search beside what it was before queries were understood: the sources of then, taken from the repository's history, with an
 * index of their own of the same entries. Both are asked the same sorts of queries in turns, in one process.
 */
export const searchBefore: Benchmark = {
  name: 'search-before',
  title: 'Search, beside search as it was before queries were understood',
  run,
};

/** The last commit before it. */
const BEFORE = 'af06bae0ad4db2a19dada7f54087bad33d2e38ea';
const ROOT = join(import.meta.dirname, '..');
const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 100_000);
const INDEX = 'listings@1';
const BATCH = 1000;
const WARMING = 2;

async function run({ pairs, sliceMs, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-search-before-'));
  try {
    const earlier = join(folder, 'release');
    checkOut(earlier);
    const views = simulatedViews();
    say(`${views.length} entries in both indexes`);
    await using before = await filled(earlier, join(folder, 'before.db'), views);
    await using now = await filled(ROOT, join(folder, 'now.db'), views);
    const figures: Figure[] = [];
    for (const name of ['all sorts', 'one letter'] as const) {
      say(name);
      const sides = { before: asker(before, views, name, false), now: asker(now, views, name, true) };
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

/** The sources of then, with the packages of now: it takes few of them, and none that search asks of. */
function checkOut(folder: string): void {
  mkdirSync(folder);
  const options = { cwd: ROOT, maxBuffer: 2 ** 28 };
  const archive = execFileSync('git', ['archive', BEFORE, 'src', 'projections', 'package.json'], options);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

interface Simulated {
  readonly slug: string;
  readonly view: PublishedView;
}

/** As a projector would make them, but for what was measured: instead of that they have some score. */
function simulatedViews(): readonly Simulated[] {
  const random = createRandom('scores');
  const history = {
    days: 30,
    seed: 1,
    endMs: Date.UTC(2026, 0, 1),
    entries: ENTRIES,
    events: leastEvents(ENTRIES),
  };
  const views: Simulated[] = [];
  for (const { type, subject, data } of simulatedHistory(history)) {
    if (type !== 'catalog.entry.published.v1') continue;
    const score = { value: Math.round(random.uniform() * 1000) / 10 };
    const view = { category: null, ...data, published: true, score } as unknown as PublishedView;
    views.push({ slug: subject, view });
  }
  return views;
}

async function filled(
  release: string,
  path: string,
  views: readonly Simulated[],
): Promise<ReturnType<typeof Sqlite.openSqliteSearch>> {
  const load = async (file: string): Promise<unknown> =>
    await import(pathToFileURL(join(release, file)).href);
  const { searchEntry } = (await load('projections/listings/search.ts')) as typeof Entries;
  const { openSqliteSearch } = (await load('src/stores/search/sqlite.ts')) as typeof Sqlite;
  const search = openSqliteSearch(path);
  await search.declare(INDEX);
  for (let at = 0; at < views.length; at += BATCH) {
    const batch = views.slice(at, at + BATCH).flatMap(({ slug, view }) => searchEntry(slug, view) ?? []);
    await search.put(INDEX, batch);
  }
  return search;
}

/** Asks one query after the other for so long; returns how long each took, in milliseconds. */
function asker(
  search: Pick<ReturnType<typeof Sqlite.openSqliteSearch>, 'query'>,
  views: readonly Simulated[],
  sort: 'all sorts' | 'one letter',
  understands: boolean,
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
        // Without it a query that comes again would be answered from memory.
        exclude: [`none-${count}`],
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
