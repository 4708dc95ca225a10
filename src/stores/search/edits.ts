import { slipsBetween, slipsToBeginning } from '../../platform/spelling.ts';

/** Whether a name could have been meant by what was typed. Pure. Both sides are transliterated words. */

/** How many slips a word of this length is allowed: as Meilisearch does, but from 4 letters on. */
function allowance(length: number): number {
  if (length < 4) return 0;
  return length < 9 ? 1 : 2;
}

/**
 * How far the names are from what was typed; null where they are too far to have been meant. The fewest slips decide,
 * and of equally many a name that was typed whole is nearer than one of which only some words were.
 * A word is a word of the names, the last one perhaps the beginning of one; or all of them together are a name or begin
 * one, so that spaces do not matter.
 */
export function distanceTo(typed: readonly string[], names: readonly string[]): number | null {
  const glued = typed.join('');
  const whole = names.map((name) => slipsOf(glued, name.replaceAll(' ', ''), false));
  const begun = names.map((name) => slipsOf(glued, name.replaceAll(' ', ''), true));
  const apart = slipsWordByWord(
    typed,
    names.flatMap((name) => name.split(' ')),
  );
  const distances = [
    ...whole.map((slips) => slips !== null && slips * 2),
    ...[...begun, apart].map((slips) => slips !== null && slips * 2 + 1),
  ].filter((one) => one !== false);
  return distances.length === 0 ? null : Math.min(...distances);
}

/**
 * Which words of the names were meant, by the number of the name and of the word in it: those that `distanceTo` counts. Where
 * spaces had to be passed over, all words of a name. None where the names are too far.
 */
export function meantWords(
  typed: readonly string[],
  names: readonly (readonly string[])[],
): readonly (readonly [name: number, word: number])[] {
  const distance = distanceTo(
    typed,
    names.map((words) => words.join(' ')),
  );
  if (distance === null) return [];
  const places = names.flatMap((words, name) =>
    words.map((word, at) => ({ word, place: [name, at] as const })),
  );
  const apart = slipsWordByWord(
    typed,
    places.map(({ word }) => word),
  );
  if (apart === null || apart * 2 + 1 !== distance) {
    const glued = typed.join('');
    const isMeant = (name: number): boolean => {
      const whole = slipsOf(glued, names[name]?.join('') ?? '', false);
      const begun = slipsOf(glued, names[name]?.join('') ?? '', true);
      return (whole !== null && whole * 2 === distance) || (begun !== null && begun * 2 + 1 === distance);
    };
    return places.map(({ place }) => place).filter(([name]) => isMeant(name));
  }
  const meant = typed.flatMap((one, at) => {
    const slips = places.map(({ word }) => slipsOf(one, word, at === typed.length - 1));
    const fewest = Math.min(...slips.map((count) => count ?? Infinity));
    return places.filter((_, which) => slips[which] === fewest);
  });
  return [...new Set(meant)].map(({ place }) => place);
}

function slipsWordByWord(typed: readonly string[], words: readonly string[]): number | null {
  let sum = 0;
  for (const [place, word] of typed.entries()) {
    const isLast = place === typed.length - 1;
    const counts = words.map((one) => slipsOf(word, one, isLast)).filter((count) => count !== null);
    if (counts.length === 0) return null;
    sum += Math.min(...counts);
  }
  return sum;
}

function slipsOf(typed: string, word: string, mayBeUnfinished: boolean): number | null {
  const allowed = allowance(typed.length);
  if (typed.length - word.length > allowed) return null;
  if (!mayBeUnfinished && word.length - typed.length > allowed) return null;
  const near = word.slice(0, typed.length + allowed);
  const slips = (mayBeUnfinished ? slipsToBeginning : slipsBetween)(typed, near, allowed);
  return slips === Infinity ? null : slips;
}

/** Every three neighbouring letters of words with a space around each: a slip leaves the ones beside it as they are. */
export function trigramsOf(words: readonly string[]): readonly string[] {
  const found = words.flatMap((word) => {
    const letters = Array.from(` ${word} `);
    return letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''));
  });
  return [...new Set(found)];
}
