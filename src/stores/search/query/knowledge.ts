import { once } from '../../../platform/once.ts';
import { searchWords } from '../../../platform/text/search-text.ts';
import { LEAST_HEARD } from './word-forms.ts';
import { shippedSynonyms, type Synonyms } from './synonyms.ts';
import { keyOfTerm, keyOfWord } from './term-keys.ts';

/** What a query is understood by. */
export interface Knowledge {
  readonly synonyms: Synonyms;
  /** Slugs of categories with everything below them, by the key of what names them. */
  readonly categories: ReadonlyMap<string, readonly string[]>;
  /** Every word that is known, by the code of its first letter: those that a word with a slip may have been. */
  readonly alike: ReadonlyMap<number, readonly string[]>;
  /** The same by their first letters, as many as a word needs to be heard: those that a word may begin. */
  readonly longer: ReadonlyMap<string, readonly KnownWord[]>;
  /** The keys of all of them. */
  readonly keys: ReadonlySet<string>;
  /** Pairs of neighbouring letters in known words: how such words look. */
  readonly pairs: ReadonlySet<number>;
}

interface KnownWord {
  readonly word: string;
  readonly key: string;
}

interface NamedCategory {
  /** It and everything below it. */
  readonly slugs: readonly string[];
  readonly titles: readonly string[];
}

/** Between the names of what a category has in common: `Музыка и радио` is both. */
const BETWEEN = /\s+(?:и|and|&)\s+|[,/]/u;

export function knowledgeOf(synonyms: Synonyms, categories: readonly NamedCategory[]): Knowledge {
  const named = new Map<string, readonly string[]>();
  const words = new Set(synonyms.words);
  for (const { slugs, titles } of categories) {
    for (const title of titles.flatMap((whole) => [whole, ...whole.split(BETWEEN)])) {
      const term = searchWords(title);
      if (term.length === 0) continue;
      const key = keyOfTerm(term.join(' '));
      named.set(key, [...new Set([...(named.get(key) ?? []), ...slugs])]);
      for (const word of term) words.add(word);
    }
  }
  const known = Array.from(words, (word): KnownWord => ({ word, key: keyOfWord(word) }));
  return {
    synonyms,
    categories: named,
    alike: Map.groupBy(words, (word) => word.charCodeAt(0)),
    longer: Map.groupBy(known, ({ word }) => word.slice(0, LEAST_HEARD)),
    keys: new Set(known.map(({ key }) => key)),
    pairs: new Set(Array.from(words).flatMap(pairsOf)),
  };
}

/** What is known where nobody says what else there is: the shipped synonyms, and no categories. */
export const shippedKnowledge = once((): Knowledge => knowledgeOf(shippedSynonyms(), []));

const SPACE = 0x20;
/** How many code points there are. */
const CODES = 0x11_00_00;

/** Neighbouring letters, the spaces around included: a number for each pair. */
export function pairsOf(word: string): readonly number[] {
  const pairs: number[] = [];
  let before = SPACE;
  for (let at = 0; at <= word.length;) {
    const code = word.codePointAt(at) ?? SPACE;
    pairs.push(before * CODES + code);
    before = code;
    at += code < 0x1_00_00 ? 1 : 2;
  }
  return pairs;
}
