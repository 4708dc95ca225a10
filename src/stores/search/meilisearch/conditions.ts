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

/** How a name is stored, and asked for by its first words. */
export function leadKey(sounds: string): string {
  return `n-${spelt(`${sounds} `)}`;
}

export function filterOf(condition: Condition): string {
  if ('word' in condition) {
    return condition.begins ? beginsWith('words', wordKey(condition)) : listed([condition]);
  }
  if ('inside' in condition) return beginsWith('tails', `t-${spelt(condition.inside)}`);
  if ('leads' in condition) return or(condition.leads.map((one) => beginsWith('tails', leadKey(one))));
  if ('kind' in condition) return isOneOf('kind', [condition.kind]);
  if ('subtype' in condition) return isSubtype(condition.subtype);
  if ('categories' in condition) return isOneOf('category', condition.categories);
  if ('all' in condition) return and(condition.all.map(filterOf));
  const whole = condition.any.filter((one) => 'word' in one && !one.begins) as readonly WordCondition[];
  const others = condition.any.filter((one) => !('word' in one) || one.begins).map(filterOf);
  return or([...(whole.length > 0 ? [listed(whole)] : []), ...others]);
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

function listed(words: readonly WordCondition[]): string {
  return `words IN [${[...new Set(words.map(wordKey))].map((key) => `"${key}"`).join(', ')}]`;
}

function beginsWith(attribute: string, beginning: string): string {
  return `${attribute} STARTS WITH "${beginning}"`;
}
