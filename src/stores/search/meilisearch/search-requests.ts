import type { MultiSearchQuery, MultiSearchResult, RecordAny } from 'meilisearch';

import { any } from '../ranking/match-condition.ts';
import { matchingWays } from '../ranking/conditions-of-concept.ts';
import {
  anyOf,
  countedParts,
  leastWeightOf,
  type Part,
  type Plan,
  type PlanList,
  weightOf,
} from '../ranking/query-plan.ts';
import { and, filterOf, hasValue, IS_A_SEAL, NOTHING, or } from './filters.ts';
import { isSeal, type StoredEntry } from './stored-entry.ts';

/** A query's lists as searches of Meilisearch: filters, answered by score. And what they found. Pure. */
export type Search = MultiSearchQuery;

/** So many entries of a list are fetched and ordered here: all, or of a longer one the most telling. */
export const LOOKED_AT = 100;
/** Names that are compared letter by letter. */
const COMPARED = 300;

const ORDERED = ['id', 'score'];
const LOOKED_AT_FIELDS = [...ORDERED, 'sound_names', 'described'];

/** What a way of having a part is worth at least that comes first in a long list. */
const TELLING = 7;

export function search(uid: string, filter: string, limit: number): Search {
  return { indexUid: uid, q: '', filter, limit, attributesToRetrieve: [...ORDERED] };
}

/** The same, with all that an entry's relevance is computed from. */
export function inFull(asked: Search): Search {
  return { ...asked, attributesToRetrieve: LOOKED_AT_FIELDS };
}

/** The same, with the seals that the index has: in a request it stands last. */
export function withSeals(asked: Search): Search {
  return { ...asked, filter: or([String(asked.filter), IS_A_SEAL]), facets: ['seal'] };
}

/** Names alike, those of `filter`; none where `q` is empty. */
export function alike(uid: string, q: string, filter: string): Search {
  return {
    ...search(uid, filter, q === '' ? 0 : COMPARED),
    q,
    matchingStrategy: 'all',
    attributesToSearchOn: ['sound_names'],
    attributesToRetrieve: [...ORDERED, 'sound_names'],
  };
}

/** Names equal to the query: as typed, and by their sound. */
export function exactFilters({ exact, exactSound }: Plan): readonly [typed: string, heard: string] {
  return [hasValue('named', exact), hasValue('heard', exactSound === '' ? [] : [exactSound])];
}

export function wantedFilter(wanted: PlanList): string {
  return filterWith(wanted, (part) => filterOf(anyOf(part)));
}

/** Names that begin with the query, where it is of one part: of many names these come first, too. */
export function leadingFilter(wanted: PlanList | null): string {
  const [part, ...others] = wanted?.parts ?? [];
  const ways = others.length > 0 ? [] : (part?.evidence ?? []);
  const leading = ways.filter(({ what }) => what === 'own words lead a name');
  return filterOf(any(leading.map(({ condition }) => condition)));
}

/** Of a list that is too long to be looked at what comes first: every part is had in a way that tells much, or the most of its ways. */
export function topFilter(wanted: PlanList): string {
  return filterWith(wanted, ({ evidence }) => {
    const ways = matchingWays(evidence);
    const least = Math.min(TELLING, Math.max(0, ...ways.map(({ value }) => value)));
    return filterOf(any(ways.filter(({ value }) => value >= least).map(({ condition }) => condition)));
  });
}

/** Entries that have enough parts, each in the way of `one`. */
function filterWith(wanted: PlanList, one: (part: Part) => string): string {
  const parts = countedParts(wanted).map((part) => ({ weight: part.weight, filter: one(part) }));
  const enough =
    wanted.share === 1 ? and(parts.map(({ filter }) => filter)) : enoughOf(parts, leastWeightOf(wanted));
  return wanted.beside === null ? enough : and([enough, filterOf(any(wanted.beside))]);
}

/** With a part less of the others is needed, without it as much. */
function enoughOf(parts: readonly { weight: number; filter: string }[], least: number): string {
  if (least <= 0) return and([]);
  const [first, ...others] = parts;
  if (first === undefined || weightOf(parts) < least) return NOTHING;
  return or([and([first.filter, enoughOf(others, least - first.weight)]), enoughOf(others, least)]);
}

/** An entry, as far as it was asked for. */
export type Hit = Pick<StoredEntry, 'id' | 'score'> & Partial<StoredEntry>;

export interface List {
  /** Entries alone, by score. */
  readonly hits: readonly Hit[];
  /** How many there are, counted to one more than can be reached. */
  readonly total: number;
}

/** Sends searches, and answers what each of them found. */
export type Ask = (searches: readonly Search[]) => Promise<readonly List[]>;

export type QueryResult = MultiSearchResult<RecordAny>;

/** An index with our settings has what was put there. */
export function listOf(found: QueryResult): List {
  const hits = (found.hits as readonly RecordAny[] as readonly Hit[]).filter(({ id }) => !isSeal(id));
  return { hits, total: (found.estimatedTotalHits ?? 0) - sealsOf(found).length };
}

export function sealsOf(found: QueryResult | undefined): readonly string[] {
  return Object.keys(found?.facetDistribution?.['seal'] ?? {});
}
