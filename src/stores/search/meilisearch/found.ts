import type { MultiSearchResult, RecordAny } from 'meilisearch';

import { type Traits, wordsOf } from '../ranking/holds.ts';
import { keyOf } from './filters.ts';
import type { Search } from './searches.ts';
import { isSeal } from './stored.ts';

/** What a search found, in our terms. Pure. */
export type Found = MultiSearchResult<RecordAny>;

export interface List {
  /** Entries alone, by score. */
  readonly hits: readonly RecordAny[];
  /** How many there are, counted to one more than can be reached. */
  readonly total: number;
}

export const NOTHING_FOUND: List = { hits: [], total: 0 };

/** Sends searches, and answers what each of them found. */
export type Ask = (searches: readonly Search[]) => Promise<readonly List[]>;

export function listOf(found: Found | undefined): List {
  const seals = sealsOf(found).length;
  const hits = (found?.hits ?? []).filter((hit) => !isSeal(idOf(hit)));
  return { hits, total: (found?.estimatedTotalHits ?? 0) - seals };
}

export function sealsOf(found: Found | undefined): readonly string[] {
  return Object.keys(found?.facetDistribution?.['seal'] ?? {});
}

export function idOf(hit: RecordAny): string {
  return String(hit['id']);
}

/** Whether one of an entry's names has this key. */
export function hasKey(hit: RecordAny, field: 'exact' | 'sounds', names: readonly string[]): boolean {
  const keys = textsIn(hit, field);
  return names.some((name) => keys.includes(keyOf(name)));
}

export function soundNamesOf(hit: RecordAny): readonly string[] {
  return textsIn(hit, 'sound_names');
}

/** Kinds and categories by their keys. */
export function traitsOf(hit: RecordAny): Traits {
  const [kind, subtype] = [hit['kind']].flat().map(String);
  return {
    kind: kind ?? '',
    subtype,
    category: typeof hit['category'] === 'string' ? hit['category'] : null,
    names: wordsOf(textsIn(hit, 'names')),
    texts: wordsOf(textsIn(hit, 'texts')),
    sounds: soundNamesOf(hit).map((name) => ` ${name} `),
  };
}

function textsIn(hit: RecordAny, field: string): readonly string[] {
  const found: unknown = hit[field];
  return Array.isArray(found) ? found.map(String) : [];
}
