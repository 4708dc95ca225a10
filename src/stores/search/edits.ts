import { slipsBetween, slipsToBeginning } from '../../platform/text/spelling.ts';

/** Whether a name could have been meant by what was typed. Pure. Both sides are transliterated words. */

/** The number of the name, and of the word in it. */
type WordPlace = readonly [name: number, word: number];

/** What of names was meant. */
interface Meant {
  /**
   * The fewest slips decide, and of equally many a name that was typed whole is nearer than one of which only some words were.
   * A word is a word of the names, the last one perhaps the beginning of one; or all of them together are a name or begin
   * one, so that spaces do not matter.
   */
  readonly distance: number;
  /** The words that are this near. Where spaces had to be passed over, all words of a name. */
  readonly words: readonly WordPlace[];
}

/** How far the names are from what was typed; null where they are too far to have been meant. */
export function distanceTo(typed: readonly string[], names: readonly string[]): number | null {
  const words = names.map((name) => name.split(' '));
  return meantBy(typed, words)?.distance ?? null;
}

/** What was meant of names, each by its words; null where they are too far. */
export function meantBy(typed: readonly string[], names: readonly (readonly string[])[]): Meant | null {
  const apart = wordByWord(typed, names);
  const glued = typed.join('');
  const together = names.flatMap((words, name) =>
    [false, true].map((isBegun): Meant => {
      const slips = slipsOf(glued, words.join(''), isBegun);
      return { distance: 2 * slips + Number(isBegun), words: words.map((_, at) => [name, at]) };
    }),
  );
  const distance = Math.min(apart.distance, ...together.map((one) => one.distance));
  if (distance === Infinity) return null;
  if (apart.distance === distance) return apart;
  return { distance, words: together.flatMap((one) => (one.distance === distance ? one.words : [])) };
}

function wordByWord(typed: readonly string[], names: readonly (readonly string[])[]): Meant {
  const words = names.flatMap((all, name) => all.map((word, at) => ({ word, place: [name, at] as const })));
  const meant = new Set<WordPlace>();
  let sum = 0;
  for (const [at, one] of typed.entries()) {
    const slips = words.map(({ word }) => slipsOf(one, word, at === typed.length - 1));
    const fewest = Math.min(...slips);
    sum += fewest;
    for (const [which, { place }] of words.entries()) if (slips[which] === fewest) meant.add(place);
  }
  return { distance: 2 * sum + 1, words: [...meant] };
}

/** Infinity where there are more than a word of this length is allowed: as Meilisearch does, but from 4 letters on. */
function slipsOf(typed: string, word: string, mayBeUnfinished: boolean): number {
  const allowed = typed.length < 4 ? 0 : typed.length < 9 ? 1 : 2;
  if (typed.length - word.length > allowed) return Infinity;
  if (!mayBeUnfinished && word.length - typed.length > allowed) return Infinity;
  const near = word.slice(0, typed.length + allowed);
  return (mayBeUnfinished ? slipsToBeginning : slipsBetween)(typed, near, allowed);
}

/** Every three neighbouring letters of words with a space around each: a slip leaves the ones beside it as they are. */
export function trigramsOf(words: readonly string[]): readonly string[] {
  const found = words.flatMap((word) => {
    const letters = Array.from(` ${word} `);
    return letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''));
  });
  return [...new Set(found)];
}
