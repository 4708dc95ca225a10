import { searchWords } from '../../../platform/search-text.ts';
import { transliterate } from '../../../platform/transliterate.ts';
import { anywhere, either, every, lastUnfinished, phrase, quoted, whole } from './expressions.ts';

/**
 * A query as expressions of FTS5 (https://www.sqlite.org/fts5.html, section 3), the most telling kind of match first.
 * Everything typed stands between quotes and is made of letters and digits, so nothing of it is an operator. Pure.
 */

/** The words of a query, as typed and transliterated. */
export interface Words {
  readonly typed: readonly string[];
  readonly sounds: readonly string[];
}

export function wordsOf(q: string): Words {
  const typed = searchWords(q);
  return { typed, sounds: typed.map(transliterate).filter(Boolean) };
}

/** Each expression is a kind of match; an entry belongs to the first one that finds it. Empty for a query of signs alone. */
export function matchesByWords({ typed, sounds }: Words): readonly string[] {
  return [
    // A name begins with it.
    either((words) => `^${phrase(words)}`, typed, sounds),
    // A name has it, word by word.
    either(phrase, typed, sounds),
    // The names have all of its words.
    either((words) => every(words, whole), typed, sounds),
    // A name begins with it, and its last word is unfinished.
    either((words) => `^${phrase(words)}*`, typed, sounds),
    // The names have all of its words, the last one unfinished.
    either((words) => every(words, lastUnfinished), typed, sounds),
    // The names and the texts have them.
    anywhere((words) => every(words, lastUnfinished), typed, sounds),
    anyBeginning({ typed, sounds }),
  ].filter((expression) => expression !== '');
}

/** What every other match by words is a case of: words anywhere that begin with each of those typed. */
export function anyBeginning({ typed, sounds }: Words): string {
  return anywhere((words) => every(words, (word) => `${quoted(word)}*`), typed, sounds);
}

/** All of its words inside words of the names; null where one is too short for a trigram. */
export function matchInside({ sounds }: Words): string | null {
  const isLongEnough = sounds.length > 0 && sounds.every((word) => Array.from(word).length >= 3);
  return isLongEnough ? every(sounds, whole) : null;
}
