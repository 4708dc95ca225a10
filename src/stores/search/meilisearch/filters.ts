import type { SearchQuery } from '../port.ts';
import type { MatchCondition } from '../ranking/match-condition.ts';
import { keyOf, leadTerm, tailTerm, type ValueField, valueTerm, wordTerm } from './term-encoding.ts';

/**
 * Filters of Meilisearch (https://www.meilisearch.com/docs/learn/filtering_and_sorting/filter_expression_reference).
 * All values are terms and keys: letters that have no meaning in a filter. Pure.
 */

/** An entry with one of these terms. */
function hasTerm(terms: readonly string[]): string {
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

/** A condition as a filter: which entries match is asked for by filters alone, so that it is as exact as a set. */
export function filterOf(condition: MatchCondition): string {
  if ('all' in condition) return and(condition.all.map(filterOf));
  if ('that' in condition) return and([filterOf(condition.that), not(filterOf(condition.except))]);
  return or(alternatives(condition));
}

/**
 * What is enough of a condition, each term and each beginning asked for once: ways of having a part overlap, and most of a search's
 * time goes to its filters. A beginning takes some 0.2 ms, a whole term next to nothing.
 */
function alternatives(condition: MatchCondition): readonly string[] {
  const whole = new Set<string>();
  const begun = new Set<string>();
  const others = new Set<string>();
  for (const one of flattened(condition)) {
    if ('word' in one) (one.begins ? begun : whole).add(wordTerm(one));
    else if ('inside' in one) begun.add(tailTerm(one.inside));
    else if ('leads' in one) for (const lead of one.leads) whole.add(leadTerm(lead));
    else if ('field' in one) for (const value of one.values) whole.add(valueTerm(one.field, value));
    else others.add(filterOf(one));
  }
  return [
    ...(whole.size === 0 ? [] : [hasTerm([...whole])]),
    ...shortest(begun).map((beginning) => `terms STARTS WITH "${beginning}"`),
    ...others,
  ];
}

function flattened(condition: MatchCondition): readonly MatchCondition[] {
  return 'any' in condition ? condition.any.flatMap(flattened) : [condition];
}

/** What begins with one of these begins with one of those that are left. */
function shortest(beginnings: ReadonlySet<string>): readonly string[] {
  const left: string[] = [];
  for (const one of [...beginnings].toSorted()) {
    const last = left.at(-1);
    if (last === undefined || !one.startsWith(last)) left.push(one);
  }
  return left;
}
