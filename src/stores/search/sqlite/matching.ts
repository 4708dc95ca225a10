import { searchWords } from '../../../platform/search-text.ts';
import { transliterate } from '../../../platform/transliterate.ts';
import { NAMES, SOUNDS, TEXT, TEXT_SOUND } from './tables.ts';

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

type Form = (words: readonly string[]) => string;

function either(form: Form, typed: readonly string[], sounds: readonly string[]): string {
  return joined([within(NAMES, form, typed), within(SOUNDS, form, sounds)]);
}

function anywhere(form: Form, typed: readonly string[], sounds: readonly string[]): string {
  return joined([within([...NAMES, TEXT], form, typed), within([...SOUNDS, TEXT_SOUND], form, sounds)]);
}

function within(columns: readonly string[], form: Form, words: readonly string[]): string {
  return words.length === 0 ? '' : `({${columns.join(' ')}} : (${form(words)}))`;
}

function joined(expressions: readonly string[]): string {
  return expressions.filter((expression) => expression !== '').join(' OR ');
}

function phrase(words: readonly string[]): string {
  return quoted(words.join(' '));
}

/** A word typed again asks for nothing more, and would be looked up again. */
function every(words: readonly string[], form: (word: string, isLast: boolean) => string): string {
  const asked = [...new Set(words)];
  return asked.map((word, place) => form(word, place === asked.length - 1)).join(' AND ');
}

function whole(word: string): string {
  return quoted(word);
}

function lastUnfinished(word: string, isLast: boolean): string {
  return isLast ? `${quoted(word)}*` : quoted(word);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
