import { once } from '../../../platform/once.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { rootOf } from './stemmer.ts';

/** The forms in which words of entries are compared: as typed, by their sound (both scripts in one spelling), by their root. */
export type WordForm = 'typed' | 'sounds' | 'roots';

/** Words below this length are compared as typed alone: `ИИ` is not `ii`. In letters. */
export const LEAST_HEARD = 3;
/** No name or query tells more of a word than that, and Meilisearch keeps no more. In letters. */
const LONGEST = 64;

/**
 * Each form of each word once, and made when it is first asked for: most entries are told by their names, and few conditions ask
 * for all forms. `texts` are words with a space between, as search entries have them. Both engines are given the same ones. Pure.
 */
export function formsOf(texts: readonly string[]): Readonly<Record<WordForm, ReadonlySet<string>>> {
  const typed = once(() => {
    const words = new Set<string>();
    for (const text of texts) for (const word of text.split(' ')) if (word !== '') words.add(cut(word));
    return words;
  });
  const heard = once(() => Array.from(typed()).filter(isHeard));
  const sounds = once(() => new Set(heard().map(transliterate).filter(Boolean)));
  const roots = once(() => new Set(heard().map(rootOf).filter(Boolean)));
  return {
    get typed() {
      return typed();
    },
    get sounds() {
      return sounds();
    },
    get roots() {
      return roots();
    },
  };
}

export function isHeard(word: string): boolean {
  // A letter is one or two units: most words are long enough, or too short, whatever they are.
  if (word.length < LEAST_HEARD || word.length >= 2 * LEAST_HEARD) return word.length >= LEAST_HEARD;
  return lettersIn(word) >= LEAST_HEARD;
}

export function lettersIn(word: string): number {
  return Array.from(word).length;
}

export function cut(word: string): string {
  return word.length <= LONGEST ? word : Array.from(word).slice(0, LONGEST).join('');
}
