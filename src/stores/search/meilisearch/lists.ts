import type { MultiSearchResult, RecordAny } from 'meilisearch';

import { MAX_TOTAL } from '../port.ts';
import { all, isOneOf, keyOf } from './filters.ts';
import type { Spelling } from './matching.ts';
import { keysOf, type Search } from './requests.ts';
import type { Match } from './ranking.ts';

export type Found = MultiSearchResult<RecordAny>;

/** What a spelling finds: its first matches, and how many there are, counted to one more than can be reached. */
interface List {
  readonly search: Search;
  readonly matches: readonly Match[];
  readonly total: number;
}

/** Sends searches, and answers what each of them found. */
type Ask = (searches: readonly Search[]) => Promise<readonly Found[]>;

export async function listed(ask: Ask, spelling: Spelling, found: Found | undefined): Promise<List> {
  const { tier, searches } = spelling;
  const [search, ...others] = searches;
  const matches = matchesIn(found, tier);
  if (others.length === 0) return { search, matches, total: found?.estimatedTotalHits ?? 0 };
  const both = await narrowed(ask, others, matches);
  return { search, matches: both, total: both.length };
}

/** How many entries the lists have together. What their beginnings do not tell is asked for by keys. */
export async function totalOf(ask: Ask, lists: readonly List[]): Promise<number> {
  const filled = lists.filter(({ total }) => total > 0);
  const longest = Math.max(0, ...filled.map(({ total }) => total));
  if (longest > MAX_TOTAL || filled.length < 2) return longest;
  const keys = new Set(filled.flatMap(({ matches }) => matches.map(({ id }) => keyOf(id))));
  const cut = filled.filter(({ matches, total }) => matches.length < total);
  if (cut.length === 0) return keys.size;
  const found = await ask(cut.map(({ search }) => keysOf(search)));
  for (const { facetDistribution } of found) {
    for (const key of Object.keys(facetDistribution?.['key'] ?? {})) keys.add(key);
  }
  return keys.size;
}

/** Of what was found by the first words of a long query, what the others find too. */
async function narrowed(
  ask: Ask,
  others: readonly Search[],
  matches: readonly Match[],
): Promise<readonly Match[]> {
  if (matches.length === 0) return matches;
  const among = isOneOf(
    'key',
    matches.map(({ id }) => id),
  );
  const found = await ask(others.map((search) => ({ ...search, filter: all(String(search.filter), among) })));
  const kept = found.map(({ hits }) => new Set(hits.map((hit) => String(hit['id']))));
  return matches.filter(({ id }) => kept.every((ids) => ids.has(id)));
}

function matchesIn(found: Found | undefined, tier: number): readonly Match[] {
  return (found?.hits ?? []).map((hit) => ({
    id: String(hit['id']),
    score: Number(hit['score']),
    tier,
    slips: hit._rankingScoreDetails?.typo?.typoCount ?? 0,
    relevance: hit._rankingScore ?? 0,
  }));
}
