import { once } from '../../../platform/once.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { isStopWord } from './common-words.ts';
import { isHeard } from './word-forms.ts';
import type { Word } from './parsed-query.ts';
import { rootOf, rootsOf } from './stemmer.ts';

/** Terms, of queries and of what is known, and what two spellings of one have in common. Pure. */

/** A word, or several with a space between. */
export interface Term {
  readonly text: string;
  readonly key: string;
  /** As it is searched: without words that say nothing. Made when it is first asked for: few terms ever are. */
  readonly words: readonly Word[];
}

export function termOf(text: string): Term {
  const words = once(() => telling(text.split(' ')).map(wordOf));
  return {
    text,
    key: keyOfTerm(text),
    get words() {
      return words();
    },
  };
}

/** What two spellings of one term have in common: the roots of its words, without those that say nothing. */
export function keyOfTerm(text: string): string {
  return telling(text.split(' ')).map(keyOfWord).join(' ');
}

export function keyOfWord(word: string): string {
  return keyOfRoot(word, rootOf(word));
}

/** Words of which next to nothing is heard are told apart as they are typed: `PHP` is not `FP`, `TTS` is not `TS`. */
export function keyOfRoot(word: string, root: string): string {
  return isHeard(word) && isHeard(root) ? root : word;
}

export function wordOf(typed: string): Word {
  // What sounds too short, as `php` does, sounds like too much else.
  const sound = isHeard(typed) ? transliterate(typed) : '';
  if (!isHeard(sound)) return { typed, sound: '', roots: [] };
  return { typed, sound, roots: rootsOf(typed).filter((root) => root !== '') };
}

/** Of a term's key: its roots. */
export function wordOfKey(key: string): Word {
  return isHeard(key) ? { typed: key, sound: key, roots: [key] } : wordOf(key);
}

/** Without words that say nothing, where others are left. */
function telling(words: readonly string[]): readonly string[] {
  const others = words.filter((word) => !isStopWord(word));
  return others.length === 0 ? words : others;
}
