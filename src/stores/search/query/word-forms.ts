import { transliterate } from '../../../platform/text/transliterate.ts';
import { rootOf } from './stemmer.ts';

/**
 * The forms in which words of entries are compared: as typed, by their sound (both scripts in one spelling), by their root.
 * Both engines are given the same ones. Pure.
 */
export interface Forms {
  readonly typed: readonly string[];
  readonly sounds: readonly string[];
  readonly roots: readonly string[];
}

/** Words below this length are compared as typed alone: `ИИ` is not `ii`. In letters. */
export const LEAST_HEARD = 3;
/** No name or query tells more of a word than that, and Meilisearch keeps no more. In letters. */
const LONGEST = 64;

/** Each form of each word once. `texts` are words with a space between, as search entries have them. */
export function formsOf(texts: readonly string[]): Forms {
  const typed = typedIn(texts);
  return { typed, sounds: soundsOf(typed), roots: rootsOfAll(typed) };
}

/** The words as typed, each once. */
export function typedIn(texts: readonly string[]): readonly string[] {
  const typed = new Set<string>();
  for (const text of texts) for (const word of text.split(' ')) if (word !== '') typed.add(cut(word));
  return [...typed];
}

export function soundsOf(typed: readonly string[]): readonly string[] {
  return [...new Set(typed.filter(isHeard).map(transliterate).filter(Boolean))];
}

export function rootsOfAll(typed: readonly string[]): readonly string[] {
  return [...new Set(typed.filter(isHeard).map(rootOf).filter(Boolean))];
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
