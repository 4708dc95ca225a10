import { searchWords } from '../../../platform/text/search-text.ts';
import { slipsBetween } from '../../../platform/text/spelling.ts';
import { lettersIn } from './forms.ts';
import type { Knowledge } from './knowledge.ts';
import { keyOfWord } from './synonyms.ts';

/** Shorter words are never taken for another one: too many words differ by a letter. */
const LEAST = 5;
const TWO_SLIPS_FROM = 9;

/** The query with its unknown words as known ones that are a slip of the finger away; null where there are none. Pure. */
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
