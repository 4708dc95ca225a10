import { folded, searchWords, SPELT, WORD } from '../../../platform/text/search-text.ts';

/** A word as `searchWords` gives it, and where it stands: from `start` up to `end`, in code points of the text. */
export interface PlacedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Folded text, and of each of its UTF-16 units the part of the text that it comes from, in code points. */
interface Line {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * What is brought to one form by itself: a character with the marks on it, where the voice marks of narrow Katakana count
 * as marks. Letters of Hangul become syllables with their neighbours.
 */
const PIECES = /[\u1100-\u11FF\uA960-\uA97F\uAC00-\uD7FF]+|[^][\p{M}\uFF9E\uFF9F]*/gu;
/** Forms of pieces of one UTF-16 unit: most are, and there are 65,536 at most. */
const KNOWN = new Map<string, string>();

/** The words of a text as `searchWords` gives them, each with its place. Takes time by the length of the text. Pure. */
export function placedWords(text: string): readonly PlacedWord[] {
  const line = SPELT.reduce((sofar, [name, letters]) => replaced(sofar, name, letters), foldedLine(text));
  const words = Array.from(line.text.matchAll(WORD), ({ 0: word, index }) => ({
    word,
    start: line.starts[index] ?? 0,
    end: line.ends[index + word.length - 1] ?? 0,
  }));
  // The small form of a sigma depends on what stands around it, beyond a piece.
  if (!/\u03A3/u.test(text.normalize('NFKD'))) return words;
  const known = searchWords(text);
  return words.map((one, at) => ({ ...one, word: known[at] ?? one.word }));
}

function foldedLine(text: string): Line {
  let line = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let place = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    const form = formOf(piece);
    const end = place + codePoints(piece);
    line += form;
    for (let unit = 0; unit < form.length; unit += 1) {
      starts.push(place);
      ends.push(end);
    }
    place = end;
  }
  return { text: line, starts, ends };
}

function formOf(piece: string): string {
  if (piece.length > 1) return folded(piece);
  const known = KNOWN.get(piece);
  if (known !== undefined) return known;
  const form = folded(piece);
  KNOWN.set(piece, form);
  return form;
}

/** Each unit of what is put in comes from all that was taken out. */
function replaced(line: Line, name: RegExp, letters: string): Line {
  const found = [...line.text.matchAll(name)];
  if (found.length === 0) return line;
  const starts: number[] = [];
  const ends: number[] = [];
  let text = '';
  let from = 0;
  const keepUntil = (to: number): void => {
    text += line.text.slice(from, to);
    for (let unit = from; unit < to; unit += 1) {
      starts.push(line.starts[unit] ?? 0);
      ends.push(line.ends[unit] ?? 0);
    }
  };
  for (const { 0: taken, index } of found) {
    keepUntil(index);
    from = index + taken.length;
    text += letters;
    for (let unit = 0; unit < letters.length; unit += 1) {
      starts.push(line.starts[index] ?? 0);
      ends.push(line.ends[from - 1] ?? 0);
    }
  }
  keepUntil(line.text.length);
  return { text, starts, ends };
}

function codePoints(text: string): number {
  if (text.length === 1) return 1;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
