import type { SearchQuery } from '../port.ts';
import { keyOf, type ValueField, valueTerm } from './terms.ts';

/**
 * Filters of Meilisearch (https://www.meilisearch.com/docs/learn/filtering_and_sorting/filter_expression_reference).
 * All values are terms and keys: letters that have no meaning in a filter. Pure.
 */

/** An entry with one of these terms. */
export function hasTerm(terms: readonly string[]): string {
  return `terms IN [${listed(terms)}]`;
}

/** An entry with one of these values. */
export function hasValue(field: ValueField, values: readonly string[]): string {
  return hasTerm(values.map((value) => valueTerm(field, value)));
}

export function isBehind(id: string): string {
  return `key > "${keyOf(id)}"`;
}

/** Without any, nothing is asked for. The shortest first: where nothing is left, Meilisearch looks no further. */
export function and(filters: readonly string[]): string {
  if (filters.includes(NOTHING)) return NOTHING;
  const asked = filters.filter((one) => one !== '').toSorted((one, other) => one.length - other.length);
  return asked.length === 1 ? String(asked[0]) : asked.map((one) => `(${one})`).join(' AND ');
}

export function or(filters: readonly string[]): string {
  const possible = filters.filter((one) => one !== NOTHING);
  if (possible.length === 0) return NOTHING;
  return possible.length === 1 ? String(possible[0]) : possible.map((one) => `(${one})`).join(' OR ');
}

export function not(filter: string): string {
  return `NOT (${filter})`;
}

/** True of nothing. */
export const NOTHING = 'terms IN []';

/** True of every entry; refused by an index without our settings, whose answers would be made by other rules. */
export const IS_OURS = 'key EXISTS';

/** True of every seal, and of nothing else. */
export const IS_A_SEAL = 'seal EXISTS';

/** What a query selects from its matches. */
export function selection({ filter, exclude }: Pick<SearchQuery, 'filter' | 'exclude'>): string {
  const { kind, categories } = filter;
  return and([
    IS_OURS,
    ...(kind === undefined ? [] : [hasValue('kind', [kind])]),
    ...(categories === undefined ? [] : [hasValue('category', categories)]),
    ...(exclude.length === 0 ? [] : [`key NOT IN [${listed(exclude.map(keyOf))}]`]),
  ]);
}

function listed(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}
