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
  const together = names.map((words) => gluedDistance(glued, words.join('')));
  const distance = Math.min(...together, apart?.distance ?? Infinity);
  if (distance === Infinity) return null;
  if (apart?.distance === distance) return apart;
  const words = names.flatMap((all, name) =>
    together[name] === distance ? all.map((_, at): WordPlace => [name, at]) : [],
  );
  return { distance, words };
}

function gluedDistance(typed: string, name: string): number {
  const begun = slipsOf(typed, name, true);
  return begun === Infinity ? Infinity : Math.min(2 * begun + 1, 2 * slipsOf(typed, name, false));
}

function wordByWord(typed: readonly string[], names: readonly (readonly string[])[]): Meant | null {
  const words = names.flat();
  const near: boolean[] = [];
  let sum = 0;
  for (const [at, one] of typed.entries()) {
    const slips = words.map((word) => slipsOf(one, word, at === typed.length - 1));
    const fewest = Math.min(...slips);
    if (fewest === Infinity) return null;
    sum += fewest;
    for (const [which, count] of slips.entries()) near[which] ||= count === fewest;
  }
  const places = names.flatMap((all, name) => all.map((_, at): WordPlace => [name, at]));
  return { distance: 2 * sum + 1, words: places.filter((_, which) => near[which]) };
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
