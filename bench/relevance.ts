import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Meilisearch } from 'meilisearch';

import { searchedTexts } from '../projections/listings/search.ts';
import { openMeilisearch } from '../src/stores/search/meilisearch/search.ts';
import type { Search } from '../src/stores/search/port.ts';
import { openSqliteSearch } from '../src/stores/search/sqlite.ts';
import {
  type Answer,
  answersOf,
  byClass,
  judgedQueries,
  type Quality,
  qualityOf,
  SETS,
  type SetName,
} from '../test/relevance/judging.ts';
import { sampleEntries, sampleViews } from '../test/relevance/sample.ts';
import { testKey } from '../test/support/services/meilisearch.ts';
import { RELEVANCE } from './goals.ts';
import { type Benchmark, type BenchmarkOptions, type Figure, informing, required } from './report.ts';

/**
 * How good the answers are to the judged queries: those of SQLite, and beside them, where `TEST_MEILISEARCH_URL` names one,
 * those of Meilisearch as it is used here, and those of a Meilisearch at its defaults with the same texts of the same entries.
 */
export const relevance: Benchmark = {
  name: 'relevance',
  title: 'How good answers are to the judged queries, beside a Meilisearch at its defaults',
  run,
};

const INDEX = `bench-relevance-${process.pid}@1`;
const MOST = 50;
const TASK_MS = 120_000;

type Answers = Readonly<Record<SetName, readonly Answer[]>>;

interface Engine {
  readonly name: string;
  readonly answers: Answers;
}

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const url = process.env['TEST_MEILISEARCH_URL'];
  say('SQLite');
  const engines: Engine[] = [{ name: 'SQLite', answers: await onSqlite() }];
  if (url === undefined || url === '') {
    say('No peer: TEST_MEILISEARCH_URL names no Meilisearch');
  } else {
    say('Meilisearch');
    engines.push({ name: 'Meilisearch', answers: await onMeilisearch(url) });
    say('Meilisearch at its defaults');
    engines.push({ name: 'at its defaults', answers: await onDefaults(url) });
  }
  return SETS.flatMap((set) => figuresOf(set, engines));
}

function figuresOf(set: SetName, engines: readonly Engine[]): readonly Figure[] {
  const names = engines.map(({ name }) => name).join(' / ');
  const all = engines.map(({ answers }) => qualityOf(answers[set]));
  const [ours] = all;
  const told = (of: keyof Quality, qualities: readonly (Quality | undefined)[] = all): string =>
    qualities.map((quality) => quality?.[of].toFixed(3) ?? '-').join(' / ');
  const { ndcg, empty, noise } = RELEVANCE;
  const classes = engines.map(({ answers }) => byClass(answers[set]));
  return [
    required(`${set}: nDCG@10, ${names}`, told('ndcg'), `>= ${ndcg}`, (ours?.ndcg ?? 0) >= ndcg),
    informing(`${set}: MRR`, told('mrr')),
    informing(`${set}: success@3`, told('success')),
    required(`${set}: empty answers`, told('empty'), `<= ${empty}`, (ours?.empty ?? 1) <= empty),
    required(`${set}: noise`, told('noise'), `<= ${noise}`, (ours?.noise ?? 1) <= noise),
    ...[...(classes[0] ?? new Map<string, Quality>()).keys()]
      .filter((name) => name !== 'unanswerable')
      .map((name) => {
        const qualities = classes.map((quality) => quality.get(name));
        return informing(`${set}, ${name}: nDCG@10`, told('ndcg', qualities));
      }),
  ];
}

async function onSqlite(): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-relevance-'));
  try {
    await using search = openSqliteSearch(join(folder, 'search.db'));
    return await filledAndAsked(search);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onMeilisearch(url: string): Promise<Answers> {
  await using search = openMeilisearch(url, { key: testKey() });
  try {
    return await filledAndAsked(search);
  } finally {
    await search.drop(INDEX);
  }
}

async function filledAndAsked(search: Search): Promise<Answers> {
  await search.declare(INDEX);
  const applied = await search.put(INDEX, sampleEntries());
  if (applied.outcome === 'failed') throw new Error(applied.reason);
  return {
    judged: await answersOf(search, INDEX, 'judged'),
    blind: await answersOf(search, INDEX, 'blind'),
    third: await answersOf(search, INDEX, 'third'),
  };
}

/** What somebody gets who puts the texts as readers see them into a Meilisearch, and asks. */
async function onDefaults(url: string): Promise<Answers> {
  const client = new Meilisearch({ host: url, apiKey: testKey() ?? '' });
  const index = client.index(`bench-relevance-defaults-${process.pid}`);
  try {
    const added = await index
      .addDocuments(plainDocuments(), { primaryKey: 'id' })
      .waitTask({ timeout: TASK_MS });
    if (added.status !== 'succeeded')
      throw new Error(`The peer refused its entries: ${added.error?.message}`);
    const answers = async (set: SetName): Promise<readonly Answer[]> => {
      const found: Answer[] = [];
      for (const query of judgedQueries(set)) {
        const { hits, estimatedTotalHits } = await index.search(query.q, { limit: MOST });
        found.push({ query, ids: hits.map((hit) => String(hit['id'])), total: estimatedTotalHits });
      }
      return found;
    };
    return {
      judged: await answers('judged'),
      blind: await answers('blind'),
      third: await answers('third'),
    };
  } finally {
    await client.deleteIndex(index.uid).waitTask({ timeout: TASK_MS });
  }
}

function plainDocuments(): Record<string, unknown>[] {
  return sampleViews().flatMap(({ slug, view }) => {
    if (!view.published) return [];
    const { kind, subtype, category } = view;
    const texts = Map.groupBy(searchedTexts(view), ({ field }) => field);
    const fields = Array.from(texts, ([field, told]) => [field, told.map(({ text }) => text)] as const);
    return [{ id: slug, ...Object.fromEntries(fields), kind, subtype, category }];
  });
}
