import { digestHex } from '../../../platform/canonical.ts';
import type { SearchQuery } from '../port.ts';

/**
 * Filters of Meilisearch (https://www.meilisearch.com/docs/learn/filtering_and_sorting/filter_expression_reference).
 * Its `=` disregards case and accents, reads what looks like a number as one, and knows no text of more than some
 * hundred bytes. So it is never asked for a value, but for the value's key; entries are stored with the same keys.
 */

const PLAIN = /^[a-z0-9-]{1,128}$/;

/**
 * The one way in which a value comes into a filter: a text without quotes, capitals and spaces that is no number,
 * different for different values, however alike they are. Plain values stay readable, and keep their order. Pure.
 */
export function keyOf(value: string): string {
  return PLAIN.test(value) ? `is-${value}` : `sha-${digestHex(value)}`;
}

/** Subtypes stand beside kinds, and are no kind's key. */
export function subtypeKeyOf(subtype: string): string {
  return `sort-${keyOf(subtype)}`;
}

export function equals(attribute: string, value: string): string {
  return `${attribute} = "${keyOf(value)}"`;
}

export function isSubtype(subtype: string): string {
  return `kind = "${subtypeKeyOf(subtype)}"`;
}

export function isOneOf(attribute: string, values: readonly string[]): string {
  return `${attribute} IN [${listed(values)}]`;
}

export function isNoneOf(attribute: string, values: readonly string[]): string {
  return `${attribute} NOT IN [${listed(values)}]`;
}

export function isAfter(attribute: string, value: string): string {
  return `${attribute} > "${keyOf(value)}"`;
}

export function all(...conditions: readonly string[]): string {
  return conditions.join(' AND ');
}

/** True of every entry; refused by an index without our settings, whose answers would be made by other rules. */
export const IS_OURS = 'key EXISTS';

/** No value's key, and so the kind of no entry. */
export const SEAL_KIND = 'seal';

/** True of every seal, and of nothing else. */
export const IS_A_SEAL = `kind = "${SEAL_KIND}"`;

/** What a query selects from its matches. */
export function selection({ filter, exclude }: Pick<SearchQuery, 'filter' | 'exclude'>): string {
  return all(
    IS_OURS,
    ...(filter.kind === undefined ? [] : [equals('kind', filter.kind)]),
    ...(filter.categories === undefined ? [] : [isOneOf('category', filter.categories)]),
    ...(exclude.length === 0 ? [] : [isNoneOf('key', exclude)]),
  );
}

function listed(values: readonly string[]): string {
  return values.map((value) => `"${keyOf(value)}"`).join(', ');
}
