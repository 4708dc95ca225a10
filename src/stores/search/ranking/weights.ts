import type { Concept } from '../asking/understood.ts';

/** Beyond so many parts the lightest are left out: there would be too many combinations. */
const MOST = 8;

/** The smallest sets of parts that weigh at least this share of all parts. Pure. */
export function heavyEnough(concepts: readonly Concept[], share: number): readonly (readonly Concept[])[] {
  const heaviest = concepts.toSorted((one, other) => other.weight - one.weight).slice(0, MOST);
  const least = share * weightOf(concepts) - 1e-9;
  const sets: (readonly Concept[])[] = [];
  const extend = (chosen: readonly Concept[], from: number): void => {
    if (weightOf(chosen) >= least) {
      sets.push(chosen);
      return;
    }
    for (let at = from; at < heaviest.length; at += 1) {
      extend([...chosen, ...heaviest.slice(at, at + 1)], at + 1);
    }
  };
  extend([], 0);
  return sets;
}

function weightOf(concepts: readonly Concept[]): number {
  return concepts.reduce((sum, { weight }) => sum + weight, 0);
}
