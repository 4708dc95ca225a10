import { slipsBetween, slipsToBeginning } from '../../platform/text/spelling.ts';

/** Whether a name could have been meant by what was typed. Pure. Both sides are transliterated words. */

/** A name, or what was typed, as it is compared. */
export interface Comparable {
  readonly words: readonly Lettered[];
  /** All of them together: there spaces do not matter. */
  readonly glued: Lettered;
}

interface Lettered {
  readonly word: string;
  /** A bit for each of its letters; letters that seldom stand in one word share one. */
  readonly letters: number;
}

/** The number of the name, and of the word in it. */
type WordPlace = readonly [name: number, word: number];

/** Words with a space between. */
export function comparable(text: string): Comparable {
  const words = text.split(' ').filter((word) => word !== '');
  return { words: words.map(lettered), glued: lettered(words.join('')) };
}

function lettered(word: string): Lettered {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return { word, letters };
}

/**
 * How far the names are from what was typed; null where they are too far to have been meant. The fewest slips decide, and of
 * equally many a name that was typed whole is nearer than one of which only some words were. A word is a word of the names, the
 * last one perhaps the beginning of one; or all of them together are a name or begin one, so that spaces do not matter.
 */
export function distanceTo(typed: Comparable, names: readonly Comparable[]): number | null {
  let least = wordByWord(typed, names);
  for (const name of names) least = Math.min(least, gluedDistance(typed, name));
  return least === Infinity ? null : least;
}

/** The words that are this near; where spaces had to be passed over, all words of a name. */
export function wordsMeant(typed: Comparable, names: readonly Comparable[]): readonly WordPlace[] {
  const distance = distanceTo(typed, names);
  if (distance === null) return [];
  const places = names.flatMap(({ words }, name) => words.map((_, at): WordPlace => [name, at]));
  if (wordByWord(typed, names) > distance) {
    return places.filter(([name]) => names[name] && gluedDistance(typed, names[name]) === distance);
  }
  const isNear = names.map(({ words }) => words.map(() => false));
  for (const [at, one] of typed.words.entries()) {
    const isLast = at === typed.words.length - 1;
    const fewest = fewestSlips(one, names, isLast);
    for (const [name, { words }] of names.entries())
      for (const [which, word] of words.entries())
        if (slipsOf(one, word, isLast) === fewest) (isNear[name] ??= [])[which] = true;
  }
  return places.filter(([name, at]) => isNear[name]?.[at]);
}

function gluedDistance({ glued: typed }: Comparable, { glued: name }: Comparable): number {
  const begun = slipsOf(typed, name, true);
  return begun === Infinity ? Infinity : Math.min(2 * begun + 1, 2 * slipsOf(typed, name, false));
}

function wordByWord({ words }: Comparable, names: readonly Comparable[]): number {
  let sum = 0;
  for (const [at, word] of words.entries()) {
    sum += fewestSlips(word, names, at === words.length - 1);
    if (sum === Infinity) return Infinity;
  }
  return 2 * sum + 1;
}

function fewestSlips(typed: Lettered, names: readonly Comparable[], mayBeUnfinished: boolean): number {
  let fewest = Infinity;
  for (const { words, glued } of names) {
    if (isOther(typed, glued)) continue;
    for (const word of words) fewest = Math.min(fewest, slipsOf(typed, word, mayBeUnfinished));
  }
  return fewest;
}

/** Infinity where there are more than are allowed. */
function slipsOf(typed: Lettered, other: Lettered, mayBeUnfinished: boolean): number {
  const allowed = allowedFor(typed);
  const longer = other.word.length - typed.word.length;
  if (-longer > allowed || (!mayBeUnfinished && longer > allowed) || isOther(typed, other)) return Infinity;
  const near = other.word.slice(0, typed.word.length + allowed);
  return (mayBeUnfinished ? slipsToBeginning : slipsBetween)(typed.word, near, allowed);
}

/** As Meilisearch does, but from 4 letters on. */
function allowedFor({ word }: Lettered): number {
  return word.length < 4 ? 0 : word.length < 9 ? 1 : 2;
}

/** Whether more of its letters are missing there than slips are allowed: few words are left to be compared place by place. */
function isOther(typed: Lettered, { letters }: Lettered): boolean {
  let missing = typed.letters & ~letters;
  for (let left = allowedFor(typed); left > 0 && missing !== 0; left -= 1) missing &= missing - 1;
  return missing !== 0;
}

/** Every three neighbouring letters of words with a space around each: a slip leaves the ones beside it as they are. */
export function trigramsOf(words: readonly string[]): readonly string[] {
  const found = words.flatMap((word) => {
    const letters = Array.from(` ${word} `);
    return letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''));
  });
  return [...new Set(found)];
}
