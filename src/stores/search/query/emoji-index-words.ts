import type { PlacedWord } from './placed-words.ts';

/** Emoji as words, of names and of queries that have no others. Pure. */

/** How an emoji is shown, and its colour of skin: it means the same. */
const LOOKS = /\uFE0F|[\u{1F3FB}-\u{1F3FF}]/gu;
/** Indexes keep words of letters and digits: an emoji is one, made of its code points behind a letter that nobody types. */
export const PREFIX = 'ꙮ';

/** The emoji of a text, as words, with their places in code points. */
export function emojiIn(text: string): readonly PlacedWord[] {
  // Here, and not for the whole module: to make this expression takes 10 ms of each thread.
  const all = text.matchAll(/\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}/gv);
  return Array.from(all, ({ 0: emoji, index }) => {
    const points = Array.from(emoji.replaceAll(LOOKS, ''), (one) => one.codePointAt(0)?.toString(16));
    const start = Array.from(text.slice(0, index)).length;
    return { word: `${PREFIX}${points.join('x')}`, start, end: start + Array.from(emoji).length };
  });
}

/** A word as people read it. */
export function readable(word: string): string {
  if (!/^ꙮ[\da-f]{2,6}(?:x[\da-f]{2,6})*$/.test(word)) return word;
  const points = word.slice(PREFIX.length).split('x');
  return String.fromCodePoint(...points.map((point) => Math.min(Number.parseInt(point, 16), 0x10_ff_ff)));
}

/** The names of an entry in words, with a name of the emoji that they have. */
export function namesOf({
  names,
  exact,
}: {
  readonly names: readonly string[];
  readonly exact: readonly string[];
}): readonly string[] {
  const emoji = exact.flatMap((name) => emojiIn(name).map(({ word }) => word));
  return emoji.length === 0 ? names : [...names, emoji.join(' ')];
}
