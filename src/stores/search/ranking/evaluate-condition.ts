import { namesOf } from '../query/emoji-index-words.ts';
import { formsOf, type WordForm } from '../query/word-forms.ts';
import type { SearchEntry } from '../port.ts';
import type { MatchCondition, WordCondition } from './match-condition.ts';
import type { Test } from './relevance.ts';

/** What conditions ask about an entry. */
export interface Traits {
  readonly kind: string;
  readonly subtype?: string | undefined;
  readonly category: string | null;
  readonly names: Readonly<Record<WordForm, Words>>;
  readonly texts: Readonly<Record<WordForm, Words>>;
  /** The names by their sound, each with a space around. */
  readonly sounds: readonly string[];
}

/** The words of an entry in one form: a set, or a map by them. */
export interface Words {
  has(word: string): boolean;
  keys(): Iterable<string>;
}

/** What of an entry its traits are made of. */
export type Described = Pick<SearchEntry, 'kind' | 'subtype' | 'category' | 'exact' | 'names' | 'texts'> & {
  readonly transliterated: Pick<SearchEntry['transliterated'], 'names'>;
};

export function traitsOf(entry: Described): Traits {
  return {
    kind: entry.kind,
    subtype: entry.subtype,
    category: entry.category,
    names: formsOf(namesOf(entry)),
    texts: formsOf(entry.texts),
    sounds: entry.transliterated.names.map((name) => ` ${name} `),
  };
}

/** Asks entries of which the traits are known. */
export const inTraits: Test<Traits> = (condition) => (traits) => holds(condition, traits);

/** Whether an entry fulfils a condition: what an engine answers for all entries, for one. Pure. */
export function holds(condition: MatchCondition, traits: Traits): boolean {
  if ('word' in condition) return hasWord(condition, traits);
  if ('inside' in condition) return traits.sounds.some((name) => name.includes(condition.inside));
  if ('leads' in condition) {
    return condition.leads.some((one) => traits.sounds.some((name) => name.startsWith(` ${one} `)));
  }
  if ('field' in condition) return condition.values.includes(traits[condition.field] ?? '');
  if ('that' in condition) return holds(condition.that, traits) && !holds(condition.except, traits);
  if ('all' in condition) return condition.all.every((one) => holds(one, traits));
  return condition.any.some((one) => holds(one, traits));
}

function hasWord({ word, form, zone, begins }: WordCondition, traits: Traits): boolean {
  const words = traits[zone][form];
  if (!begins) return words.has(word);
  for (const one of words.keys()) if (one.startsWith(word)) return true;
  return false;
}
