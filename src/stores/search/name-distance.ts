import { slipsBetween, slipsToBeginning } from '../../platform/text/edit-distance.ts';

/** Whether a name could have been meant by what was typed. Pure. Both sides are transliterated words. */

/** What was typed, as it is compared with many names. */
interface Typed {
  readonly words: readonly TypedWord[];
  /** All of them together: there spaces do not matter. */
  readonly glued: TypedWord;
}

interface TypedWord {
  readonly word: string;
  /** A bit for each of its letters; some share one. */
  readonly letters: number;
  /** How many slips. */
  readonly allowed: number;
}

/** The number of the name, and of the word in it. */
type WordPlace = readonly [name: number, word: number];

/** Words with a space between. */
export function typedAs(text: string): Typed {
  const words = text.split(' ').filter((word) => word !== '');
  return { words: words.map(typedWord), glued: typedWord(words.join('')) };
}

function typedWord(word: string): TypedWord {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= bitOf(word.charCodeAt(at));
  // As Meilisearch does, but from 4 letters on.
  return { word, letters, allowed: word.length < 4 ? 0 : word.length < 9 ? 1 : 2 };
}

function bitOf(letter: number): number {
  return 1 << (letter & 31);
}

const LINE = '\n'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/**
 * How far the names, a line each, are from what was typed; null where they are too far to have been meant. The fewest slips decide, and
 * of equally many a name that was typed whole is nearer than one of which only some words were. A word is a word of the names, the
 * last one perhaps the beginning of one; or all of them together are a name or begin one, so that spaces do not matter.
 */
export function distanceTo({ words, glued }: Typed, names: string): number | null {
  // One pass over the letters, for a search compares thousands of words, and hardly any is near.
  const fewest = words.map(() => Infinity);
  let together = Infinity;
  let [name, lettersOfName] = [0, 0];
  for (let from = 0, to = 0; from <= names.length; from = to + 1) {
    let letters = 0;
    for (to = from; to < names.length; to += 1) {
      const letter = names.charCodeAt(to);
      if (letter === SPACE || letter === LINE) break;
      letters |= bitOf(letter);
    }
    for (let which = 0; which < words.length; which += 1) {
      const typed = words[which];
      if (typed === undefined || !mayBe(typed, to - from, letters)) continue;
      const slips = slipsOf(typed, names.slice(from, to), which === words.length - 1);
      fewest[which] = Math.min(fewest[which] ?? Infinity, slips);
    }
    lettersOfName |= letters;
    if (names.charCodeAt(to) === SPACE) continue;
    if (mayBe(glued, to - name, lettersOfName))
      together = Math.min(together, gluedDistance(glued, names.slice(name, to)));
    [name, lettersOfName] = [to + 1, 0];
  }
  const distance = Math.min(together, apart(fewest));
  return distance === Infinity ? null : distance;
}

/** The words that are this near; where spaces had to be passed over, all words of a name. */
export function wordsMeant(typed: Typed, names: readonly (readonly string[])[]): readonly WordPlace[] {
  const distance = distanceTo(typed, names.map((words) => words.join(' ')).join('\n'));
  if (distance === null) return [];
  const places = names.flatMap((words, name) => words.map((_, at): WordPlace => [name, at]));
  const all = names.flat();
  const slips = typed.words.map((one, at) =>
    all.map((word) => slipsOf(one, word, at === typed.words.length - 1)),
  );
  const fewest = slips.map((each) => Math.min(...each));
  if (apart(fewest) > distance) {
    return places.filter(([name]) => gluedDistance(typed.glued, names[name]?.join('') ?? '') === distance);
  }
  return places.filter((_, which) => slips.some((each, at) => each[which] === fewest[at]));
}

/** Of words, each of which takes so many slips. */
function apart(fewest: readonly number[]): number {
  return 2 * fewest.reduce((sum, slips) => sum + slips, 0) + 1;
}

function gluedDistance(typed: TypedWord, name: string): number {
  const glued = name.replaceAll(' ', '');
  const begun = slipsOf(typed, glued, true);
  return begun === Infinity ? Infinity : Math.min(2 * begun + 1, 2 * slipsOf(typed, glued, false));
}

/** Whether one of so many letters, and of these, may be near: each that is missing is a slip. */
function mayBe({ word, letters, allowed }: TypedWord, length: number, others: number): boolean {
  if (word.length - length > allowed) return false;
  let missing = letters & ~others;
  for (let left = allowed; left > 0 && missing !== 0; left -= 1) missing &= missing - 1;
  return missing === 0;
}

/** Infinity where there are more than are allowed. */
function slipsOf({ word: typed, allowed }: TypedWord, word: string, mayBeUnfinished: boolean): number {
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
