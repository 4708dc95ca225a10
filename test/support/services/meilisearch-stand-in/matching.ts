/**
 * How the stand-in looks for words: all of them have to be there, the last one may be unfinished, long ones may have
 * slips. Its tokens and its measure are simpler than those of Meilisearch.
 */

export interface Measure {
  readonly slips: number;
  readonly unfinished: number;
}

export interface Allowance {
  readonly oneTypo: number;
  readonly twoTypos: number;
}

export function tokens(text: string): readonly string[] {
  const folded = text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

/** Null where these words do not have all that is asked for. */
export function measure(
  asked: readonly string[],
  words: readonly string[],
  allowance: Allowance,
): Measure | null {
  let [slips, unfinished] = [0, 0];
  for (const [place, word] of asked.entries()) {
    const best = bestOf(word, words, place === asked.length - 1, allowance);
    if (!best) return null;
    slips += best.slips;
    unfinished += best.unfinished;
  }
  return { slips, unfinished };
}

function bestOf(
  word: string,
  words: readonly string[],
  mayBeUnfinished: boolean,
  { oneTypo, twoTypos }: Allowance,
): Measure | null {
  const { length } = Array.from(word);
  const most = length < oneTypo ? 0 : length < twoTypos ? 1 : 2;
  for (let slips = 0; slips <= most; slips += 1) {
    if (words.some((found) => distance(word, found, false, slips) <= slips)) return { slips, unfinished: 0 };
    if (mayBeUnfinished && words.some((found) => distance(word, found, true, slips) <= slips))
      return { slips, unfinished: 1 };
  }
  return null;
}

/** Letters missed, added, mistaken or swapped; a mistaken first letter counts twice. */
function distance(typed: string, word: string, mayBeUnfinished: boolean, allowed: number): number {
  if (allowed === 0) return (mayBeUnfinished ? word.startsWith(typed) : word === typed) ? 0 : 1;
  if (typed.length - word.length > allowed || typed[0] !== word[0]) return allowed + 1;
  const compared = mayBeUnfinished ? word.slice(0, typed.length + allowed) : word;
  let before: number[] = [];
  let last = Array.from({ length: compared.length + 1 }, (_, column) => column);
  for (let row = 1; row <= typed.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= compared.length; column += 1) {
      const isSwapped = typed[row - 1] === compared[column - 2] && typed[row - 2] === compared[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (typed[row - 1] === compared[column - 1] ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return mayBeUnfinished ? Math.min(...last) : (last[compared.length] ?? 0);
}
