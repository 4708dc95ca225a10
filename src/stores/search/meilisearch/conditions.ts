import type { Condition, WordCondition } from '../ranking/condition.ts';
import { isOneOf, isSubtype } from './filters.ts';
import { spelt } from './spelt.ts';

/**
 * Conditions as filters: which entries match is asked for by filters alone, so that it is as exact as a set. Everything
 * typed stands between quotes, in letters that have no meaning of their own. Pure.
 */

/** True of nothing. */
export const NOTHING = 'words IN []';

const FORMS = { typed: 't', sounds: 's', roots: 'r' } as const;
const ZONES = { names: 'n', texts: 't' } as const;

/** How a word of an entry is stored, and asked for. */
export function wordKey({ word, form, zone }: Omit<WordCondition, 'begins'>): string {
  return `${ZONES[zone]}${FORMS[form]}-${spelt(word)}`;
}

/** How the first words of a name are stored, and asked for. */
export function leadKey(sounds: string): string {
  return `n-${spelt(sounds)}`;
}

/** How what stands inside of a word is stored, and asked for. */
export function tailKey(sound: string): string {
  return `t-${spelt(sound)}`;
}

export function filterOf(condition: Condition): string {
  if ('all' in condition) return and(condition.all.map(filterOf));
  if ('that' in condition) return and([filterOf(condition.that), not(filterOf(condition.except))]);
  return or(alternatives(condition));
}

/**
 * What is enough of a condition, each value and each beginning asked for once: ways of having a part overlap, and most of a search's
 * time goes to its filters. A beginning takes some 0.2 ms, a whole value next to nothing.
 */
function alternatives(condition: Condition): readonly string[] {
  const whole = { words: new Set<string>(), leads: new Set<string>() };
  const begun = { words: new Set<string>(), tails: new Set<string>() };
  const others = new Set<string>();
  for (const one of flattened(condition)) {
    if ('word' in one) (one.begins ? begun : whole).words.add(wordKey(one));
    else if ('inside' in one) begun.tails.add(tailKey(one.inside));
    else if ('leads' in one) for (const lead of one.leads) whole.leads.add(leadKey(lead));
    else if ('kind' in one) others.add(isOneOf('kind', [one.kind]));
    else if ('subtype' in one) others.add(isSubtype(one.subtype));
    else if ('categories' in one) others.add(isOneOf('category', one.categories));
    else others.add(filterOf(one));
  }
  return [
    ...Object.entries(whole).flatMap(([attribute, keys]) =>
      keys.size === 0 ? [] : [isOneOfKeys(attribute, keys)],
    ),
    ...Object.entries(begun).flatMap(([attribute, keys]) =>
      shortest(keys).map((key) => beginsWith(attribute, key)),
    ),
    ...others,
  ];
}

function isOneOfKeys(attribute: string, keys: ReadonlySet<string>): string {
  return `${attribute} IN [${[...keys].map((key) => `"${key}"`).join(', ')}]`;
}

function beginsWith(attribute: string, beginning: string): string {
  return `${attribute} STARTS WITH "${beginning}"`;
}

function flattened(condition: Condition): readonly Condition[] {
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

export function and(filters: readonly string[]): string {
  return filters.length === 1 ? String(filters[0]) : filters.map((one) => `(${one})`).join(' AND ');
}

export function or(filters: readonly string[]): string {
  if (filters.length === 0) return NOTHING;
  return filters.length === 1 ? String(filters[0]) : filters.map((one) => `(${one})`).join(' OR ');
}

export function not(filter: string): string {
  return `NOT (${filter})`;
}
