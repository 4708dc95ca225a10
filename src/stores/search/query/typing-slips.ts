import { searchWords } from '../../../platform/text/search-text.ts';
import { slipsBetween } from '../../../platform/text/edit-distance.ts';
import { lettersIn } from './word-forms.ts';
import { type Knowledge, pairsOf } from './knowledge.ts';
import { keyOfWord } from './term-keys.ts';

/** What may have been meant instead of what was typed. Pure. */

/** The same keys on the other keyboard layout: `ghbdtn` is `привет`, `знерщт` is `python`. */
const ENGLISH = '`qwertyuiop[]asdfghjkl;\'zxcvbnm,./~QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?@#$^&';
const RUSSIAN = 'ёйцукенгшщзхъфывапролджэячсмитьбю.ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,"№;:?';

const TO_RUSSIAN = keysOf(ENGLISH, RUSSIAN);
const TO_ENGLISH = keysOf(RUSSIAN, ENGLISH);

/**
 * What was meant on the other layout, by all words or by some: the one that looks most like known words, and more so than
 * what was typed; else null.
 */
export function meantOnOtherLayout(q: string, knowledge: Knowledge): string | null {
  let least = unlikeness(searchWords(q), knowledge);
  let meant: string | null = null;
  // Nothing is more like known words than those.
  for (const swapped of least === 0 ? [] : [onOtherLayout(q), inPart(q, knowledge)]) {
    const words = swapped === null ? [] : searchWords(swapped);
    if (words.length === 0 || unlikeness(words, knowledge) >= least) continue;
    least = unlikeness(words, knowledge);
    meant = swapped;
  }
  return meant;
}

/** Where somebody switches the layout in the middle of a query: the words that nobody knows as the known ones of the same keys. */
function inPart(q: string, knowledge: Knowledge): string | null {
  const isKnown = (text: string): boolean => unlikeness(searchWords(text), knowledge) === 0;
  const parts = q.split(/(\s+)/).map((part) => {
    const swapped = lettersIn(part) < LEAST_SWAPPED ? null : onOtherLayout(part);
    return swapped !== null && isKnown(swapped) && !isKnown(part) ? swapped : part;
  });
  const swapped = parts.join('');
  return swapped === q ? null : swapped;
}

/** What the same keys would have written; null where what was typed is of both scripts, or of neither. */
function onOtherLayout(q: string): string | null {
  const isRussian = /[а-яё]/i.test(q);
  const isLatin = /[a-z]/i.test(q);
  if (isRussian === isLatin) return null;
  const keys = isRussian ? TO_ENGLISH : TO_RUSSIAN;
  return Array.from(q.normalize('NFC'), (letter) => keys.get(letter) ?? letter).join('');
}

function keysOf(from: string, to: string): ReadonlyMap<string, string> {
  const others = Array.from(to);
  return new Map(Array.from(from, (letter, at) => [letter, others[at] ?? letter]));
}

/** How unlike known words some words look, from 0 to 1: 0 for known ones. Without known words nothing is odd. */
function unlikeness(words: readonly string[], { keys, pairs }: Knowledge): number {
  if (words.length === 0) return 1;
  const each = words.map((word) => {
    if (keys.has(keyOfWord(word))) return 0;
    const own = pairsOf(word);
    return 0.05 + own.filter((pair) => !pairs.has(pair)).length / own.length;
  });
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}

/** Shorter ones are names as often: `стс` is no `cnc`. */
const LEAST_SWAPPED = 4;

/** Shorter words are never taken for another one: too many words differ by a letter. */
const LEAST = 5;
const TWO_SLIPS_FROM = 9;

/** The query with its unknown words as known ones that are a slip of the finger away; null where there are none. */
export function corrected(q: string, knowledge: Knowledge): string | null {
  const words = searchWords(q);
  const others = words.map((word) => nearestKnown(word, knowledge) ?? word);
  return others.some((word, at) => word !== words[at]) ? others.join(' ') : null;
}

function nearestKnown(word: string, { alike, keys }: Knowledge): string | null {
  const length = lettersIn(word);
  if (length < LEAST || /\d/.test(word) || keys.has(keyOfWord(word))) return null;
  const allowed = length < TWO_SLIPS_FROM ? 1 : 2;
  let best: { readonly known: string; readonly slips: number } | null = null;
  // A slip of the first letter is rare, and words that are as short would be taken for others.
  for (const known of alike.get(word.charCodeAt(0)) ?? []) {
    if (Math.abs(known.length - word.length) > allowed || known.length < LEAST - 1) continue;
    const slips = slipsBetween(word, known, allowed);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { known, slips };
  }
  return best?.known ?? null;
}
