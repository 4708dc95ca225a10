import type { MultiSearchResult, RecordAny } from 'meilisearch';

import { type Described, type Traits, traitsOf } from '../ranking/traits.ts';
import type { Search } from './searches.ts';
import { isSeal } from './stored.ts';

/** What a search found, in our terms. Pure. */
export type QueryResult = MultiSearchResult<RecordAny>;

export interface Hit {
  readonly id: string;
  readonly score: number;
  /** Its names by their sound, where they were asked for. */
  readonly sounds: readonly string[];
  /** The same as `nameKey` has them, and what conditions ask about: of an entry that was fetched whole. */
  readonly exact: readonly string[];
  readonly traits: Traits | null;
}

export interface List {
  /** Entries alone, by score. */
  readonly hits: readonly Hit[];
  /** How many there are, counted to one more than can be reached. */
  readonly total: number;
}

export const NOTHING_FOUND: List = { hits: [], total: 0 };

/** Sends searches, and answers what each of them found. */
export type Ask = (searches: readonly Search[]) => Promise<readonly List[]>;

export function listOf(found: QueryResult | undefined): List {
  const seals = sealsOf(found).length;
  const hits = (found?.hits ?? []).map(hitOf).filter(({ id }) => !isSeal(id));
  return { hits, total: (found?.estimatedTotalHits ?? 0) - seals };
}

export function sealsOf(found: QueryResult | undefined): readonly string[] {
  return Object.keys(found?.facetDistribution?.['seal'] ?? {});
}

/** An index with our settings has what was put there (stored.ts). */
export function hitOf(hit: RecordAny): Hit {
  const described = hit['described'] as Described | undefined;
  return {
    id: String(hit['id']),
    score: Number(hit['score']),
    sounds: (hit['sound_names'] as readonly string[] | undefined) ?? [],
    exact: described?.exact ?? [],
    traits: described === undefined ? null : traitsOf(described),
  };
}
