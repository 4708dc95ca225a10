import { distanceTo, trigramsOf, typedAs } from '../name-distance.ts';
import type { Candidates } from './candidates.ts';

/** How many names are compared letter by letter: those that share the most telling trigrams with the query. */
const COMPARED = 300;
/** Into which weights are sorted roughly. */
const STEPS = 1024;

/** The entries with a name that could have been meant, the nearest first: the numbers of those equally near. */
export function nearNames(candidates: Candidates, sounds: readonly string[]): readonly (readonly number[])[] {
  const typed = typedAs(sounds.join(' '));
  const groups: number[][] = [];
  const numbers = alike(candidates, trigramsOf(sounds));
  const names = candidates.cache.names(numbers);
  for (const n of numbers) {
    const distance = distanceTo(typed, names.get(n) ?? '');
    if (distance !== null) (groups[distance] ??= []).push(n);
  }
  return groups.filter(Boolean);
}

/** Counted here: FTS5 would look into each entry that has any of them, and most entries have one. */
function alike(candidates: Candidates, trigrams: readonly string[]): readonly number[] {
  const { count, most: greatest } = candidates.cache;
  const lists = trigrams.map((trigram) => candidates.inside(trigram));
  const weights = new Float64Array(greatest + 1);
  const weighed: number[] = [];
  let most = 0;
  for (const list of lists) {
    // The rarer, the more telling.
    const weight = Math.log(1 + count / list.length);
    for (const n of list) {
      const before = weights[n] ?? 0;
      if (before === 0) weighed.push(n);
      weights[n] = before + weight;
    }
    if (list.length > 0) most += weight;
  }
  return heaviest(weighed, (n) => weights[n] ?? 0, most);
}

/** Those that weigh the most; the first ones of those that weigh the same. */
function heaviest(numbers: readonly number[], weightOf: (n: number) => number, most: number) {
  // Counted by steps first, so that few are left to be sorted.
  const stepOf = (n: number): number => Math.ceil((weightOf(n) / most) * STEPS);
  const steps = new Uint32Array(STEPS + 1);
  for (const n of numbers) {
    const step = stepOf(n);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  let least = STEPS;
  for (let sum = steps[least] ?? 0; sum < COMPARED && least > 1; sum += steps[least] ?? 0) least -= 1;
  const found = numbers.filter((n) => stepOf(n) >= least);
  return found.sort((one, other) => weightOf(other) - weightOf(one) || one - other).slice(0, COMPARED);
}
