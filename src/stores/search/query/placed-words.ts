import { foldText, LEFT_OUT, searchWords, wordsIn } from '../../../platform/text/search-text.ts';

/** A word as `searchWords` gives it, and where it stands: from `start` up to `end`, in code points of the text. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * What is brought to one form by itself: a character with the marks on it and what is left out behind it, where the voice
 * marks of narrow Katakana count as marks. Letters of Hangul become syllables with their neighbours.
 */
const PIECES = new RegExp(
  String.raw`(?:[\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FF]${LEFT_OUT}*)+|[^](?:[\p{M}\uFF9E\uFF9F]|${LEFT_OUT})*`,
  'gu',
);
/** Forms of pieces of one UTF-16 unit: most are, and there are 65,536 at most. */
const KNOWN = new Map<string, string>();

/** The words of a text as `searchWords` gives them, each with its place. Takes time by the length of the text. Pure. */
export function placedWords(text: string): readonly PlacedWord[] {
  let plain = '';
  /** Of each UTF-16 unit of the folded text the part of the text that it comes from, in code points. */
  const places: { readonly start: number; readonly end: number }[] = [];
  let start = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    const form = formOf(piece);
    const place = { start, end: start + codePoints(piece) };
    plain += form;
    for (let unit = 0; unit < form.length; unit += 1) places.push(place);
    start = place.end;
  }
  const words = wordsIn(plain).map(({ word, from, to }) => ({
    word,
    start: places[from]?.start ?? 0,
    end: places[to - 1]?.end ?? 0,
  }));
  // The small form of a sigma depends on what stands around it, beyond a piece.
  if (!/\u03A3/u.test(text.normalize('NFKD'))) return words;
  const known = searchWords(text);
  return words.map((one, at) => ({ ...one, word: known[at] ?? one.word }));
}

function formOf(piece: string): string {
  return piece.length > 1 ? foldText(piece) : KNOWN.getOrInsertComputed(piece, foldText);
}

function codePoints(text: string): number {
  return text.length === 1 ? 1 : Array.from(text).length;
}
