/**
 * How the stand-in matches words: all of them have to be there, the last one may be unfinished, long ones may have
 * slips. Quotes and a minus have the meaning that they have in Meilisearch. Its tokens and its measure are simpler.
 */

const MAX_WORDS = 10;

export interface Asked {
  readonly words: readonly string[];
  readonly phrases: readonly (readonly string[])[];
  readonly banned: readonly string[];
  readonly isLastUnfinished: boolean;
}

/** The words of one attribute. */
export interface Field {
  readonly words: readonly string[];
  readonly allowsSlips: boolean;
}

export interface Measure {
  readonly slips: number;
  /** The sum of the places of the attributes in which the words were found. */
  readonly attributes: number;
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

export function asked(q: string): Asked {
  const phrases: (readonly string[])[] = [];
  const banned: string[] = [];
  const rest = q
    .replaceAll(/"([^"]*)"?/g, (_, phrase: string) => {
      if (tokens(phrase).length > 0) phrases.push(tokens(phrase));
      return ' ';
    })
    .replaceAll(/(?<=^|\s)-(\S+)/g, (_, word: string) => {
      banned.push(...tokens(word));
      return ' ';
    });
  const words = tokens(rest).slice(0, MAX_WORDS);
  return { words, phrases, banned, isLastUnfinished: /[\p{L}\p{N}\p{M}]$/u.test(rest) };
}

/** Null where the fields do not have all that is asked for. */
export function measure(
  { words, phrases, banned, isLastUnfinished }: Asked,
  fields: readonly Field[],
  allowance: Allowance,
): Measure | null {
  const has = (phrase: readonly string[]): boolean =>
    fields.some(({ words: found }) => ` ${found.join(' ')} `.includes(` ${phrase.join(' ')} `));
  if (banned.some((word) => has([word])) || !phrases.every(has)) return null;
  let [slips, attributes, unfinished] = [0, 0, 0];
  for (const [place, word] of words.entries()) {
    const best = bestOf(word, fields, isLastUnfinished && place === words.length - 1, allowance);
    if (!best) return null;
    slips += best.slips;
    attributes += best.attributes;
    unfinished += best.unfinished;
  }
  return { slips, attributes, unfinished };
}

function bestOf(
  word: string,
  fields: readonly Field[],
  mayBeUnfinished: boolean,
  allowance: Allowance,
): Measure | null {
  for (const allowed of [0, 1, 2]) {
    if (allowed > allowedFor(word, allowance)) return null;
    for (const [attributes, { words, allowsSlips }] of fields.entries()) {
      if (allowed > 0 && !allowsSlips) continue;
      if (words.some((found) => distance(word, found, false, allowed) <= allowed)) {
        return { slips: allowed, attributes, unfinished: 0 };
      }
      if (mayBeUnfinished && words.some((found) => distance(word, found, true, allowed) <= allowed)) {
        return { slips: allowed, attributes, unfinished: 1 };
      }
    }
  }
  return null;
}

function allowedFor(word: string, { oneTypo, twoTypos }: Allowance): number {
  const length = Array.from(word).length;
  if (length < oneTypo) return 0;
  return length < twoTypos ? 1 : 2;
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
