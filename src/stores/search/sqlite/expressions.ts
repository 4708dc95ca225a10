import { NAMES, SOUNDS, TEXT, TEXT_SOUND } from './tables.ts';

/** The pieces that expressions of FTS5 are made of. A form makes one of words, typed or transliterated. */
type Form = (words: readonly string[]) => string;

export function either(form: Form, typed: readonly string[], sounds: readonly string[]): string {
  return joined([within(NAMES, form, typed), within(SOUNDS, form, sounds)]);
}

export function anywhere(form: Form, typed: readonly string[], sounds: readonly string[]): string {
  return joined([within([...NAMES, TEXT], form, typed), within([...SOUNDS, TEXT_SOUND], form, sounds)]);
}

function within(columns: readonly string[], form: Form, words: readonly string[]): string {
  return words.length === 0 ? '' : `({${columns.join(' ')}} : (${form(words)}))`;
}

function joined(expressions: readonly string[]): string {
  return expressions.filter((expression) => expression !== '').join(' OR ');
}

export function phrase(words: readonly string[]): string {
  return quoted(words.join(' '));
}

/** A word typed again asks for nothing more, and would be looked up again. */
export function every(words: readonly string[], form: (word: string, isLast: boolean) => string): string {
  const asked = [...new Set(words)];
  return asked.map((word, place) => form(word, place === asked.length - 1)).join(' AND ');
}

export function whole(word: string): string {
  return quoted(word);
}

export function lastUnfinished(word: string, isLast: boolean): string {
  return isLast ? `${quoted(word)}*` : quoted(word);
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
