import type { Part, Wanted } from './plan.ts';

/** Of more parts the lightest do not help an entry that has only some: there would be too many combinations. */
const MOST = 8;
/** Sums of the same weights in another order may differ by as much. */
const ROUNDING = 1e-9;

/** The parts that count where not all are matched, the heaviest first. Pure. */
export function heaviestOf({ parts }: Wanted): readonly Part[] {
  return parts.toSorted((one, other) => other.weight - one.weight).slice(0, MOST);
}

/** How much of the weight has to be matched. */
export function leastWeightOf({ parts, share }: Wanted): number {
  return share * weightOf(parts) - ROUNDING;
}

/** The smallest sets of parts that weigh enough. Pure. */
export function heavyEnough(wanted: Wanted): readonly (readonly Part[])[] {
  if (wanted.share === 1) return [wanted.parts];
  const heaviest = heaviestOf(wanted);
  const least = leastWeightOf(wanted);
  const sets: (readonly Part[])[] = [];
  const extend = (chosen: readonly Part[], from: number): void => {
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

function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
