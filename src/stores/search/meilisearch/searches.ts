import type { MultiSearchQuery } from 'meilisearch';

import { any } from '../ranking/condition.ts';
import { matchingWays } from '../ranking/match-evidence.ts';
import { anyOf, type Part, type Plan, type Wanted } from '../ranking/plan.ts';
import { WAYS } from '../ranking/ways.ts';
import { type Enough, enoughOf, heaviestOf } from '../ranking/weights.ts';
import { filterOf } from './conditions.ts';
import { and, IS_A_SEAL, isOneOf, not, NOTHING, or } from './filters.ts';
import { valueTerm } from './terms.ts';

/** A query's lists as searches of Meilisearch: filters, answered by score. Pure. */
export type Search = MultiSearchQuery;

/** Of a list of so many entries all are fetched, and ordered here; of a longer one its most telling parts. */
export const LOOKED_AT = 100;
/** Names that are compared letter by letter. */
const COMPARED = 300;

const ORDERED = ['id', 'score'];
const LOOKED_AT_FIELDS = [...ORDERED, 'sound_names', 'described'];

const LEADING = WAYS['own words lead a name'].value;
/** Its words in a name, in any form: forms are not told apart in a long list. */
const NAMED = WAYS['its words in another form in a name'].value;

/** So that a query stays within eight searches: two for equal names, one for all, and the one before. */
const MOST_TIERS = 4;

/** Parts of a long list, the most telling first: what each way of having a part is worth, at least. */
const TIERS = [
  { least: LEADING, inCategory: true },
  { least: LEADING, inCategory: false },
  { least: NAMED, inCategory: true },
  { least: NAMED, inCategory: false },
  { least: 7, inCategory: false },
  { least: 5, inCategory: false },
] as const;

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
export function exactFilters({ exact, exactSound }: Plan): readonly string[] {
  return [
    isOneOf(
      'terms',
      exact.map((name) => valueTerm('named', name)),
    ),
    isOneOf('terms', exactSound === '' ? [] : [valueTerm('heard', exactSound)]),
  ];
}

export function wantedFilter(wanted: Wanted): string {
  return filterWith(wanted, (part) => filterOf(anyOf(part)));
}

/** The parts of a long list; later ones take in earlier ones. */
export function tierFilters(wanted: Wanted): readonly string[] {
  // A name cannot begin with several parts.
  const tiers = wanted.parts.length > 1 ? TIERS.filter(({ least }) => least < LEADING) : TIERS;
  const filters = tiers.map(({ least, inCategory }) =>
    filterWith(wanted, (part) => worth(part, least, inCategory)),
  );
  // Without categories those in them are those of the tier.
  return [...new Set(filters)].slice(0, MOST_TIERS);
}

/** Of a list that follows, and is too long to be looked at: what comes first. */
export function topFilter(wanted: Wanted): string {
  return filterWith(wanted, (part) => worth(part, 7, false));
}

/** All that names equal, or that has enough of what is wanted. */
export function matching(plan: Plan, lists: readonly Wanted[]): string {
  return or([...exactFilters(plan), ...lists.map(wantedFilter)]);
}

/** Entries that have enough parts, each in the way of `one`. */
function filterWith(wanted: Wanted, one: (part: Part) => string): string {
  const enough = enoughFilter(wanted, one);
  return wanted.beside === null ? enough : and([enough, filterOf(any(wanted.beside))]);
}

function enoughFilter(wanted: Wanted, one: (part: Part) => string): string {
  // The shortest first: where nothing is left, Meilisearch looks no further.
  if (wanted.share === 1)
    return and(wanted.parts.map(one).toSorted((some, other) => some.length - other.length));
  const filters = new Map(heaviestOf(wanted).map((part) => [part, one(part)]));
  const written = (enough: Enough): string => {
    if (enough === 'enough') return '';
    if ('either' in enough) return or(enough.either.map(written));
    const [part, rest] = enough.both;
    return and([filters.get(part) ?? NOTHING, written(rest)].filter((filter) => filter !== ''));
  };
  const enough = enoughOf(wanted);
  return enough === null ? NOTHING : written(enough);
}

/** Words of kind tell less, however they are found: of them any way is enough. */
function worth(part: Part, least: number, inCategory: boolean): string {
  const most = Math.max(0, ...part.evidence.map(({ value }) => value));
  const ways = least < LEADING ? matchingWays(part.evidence) : part.evidence;
  const telling = ways.filter(({ value }) => value >= Math.min(least, most));
  const [first] = part.evidence;
  const found = filterOf(any(telling.map(({ condition }) => condition)));
  // Who has a first way that tells less has no other one.
  const filter =
    first === undefined || first.value >= Math.min(least, most)
      ? found
      : and([found, not(filterOf(first.condition))]);
  return inCategory && part.categories !== null ? and([filter, filterOf(part.categories)]) : filter;
}
