import type { Part, PlanList } from './plan.ts';

/** Of more parts the lightest do not help an entry that has only some: there would be too many combinations. */
const MOST = 5;
/** Sums of the same weights in another order may differ by as much. */
const ROUNDING = 1e-9;

/** The parts that count: all where all have to be matched, else the heaviest. An entry has enough whose parts weigh `leastWeightOf`. Pure. */
export function countedParts({ parts, share }: PlanList): readonly Part[] {
  return share === 1 ? parts : parts.toSorted((one, other) => other.weight - one.weight).slice(0, MOST);
}

/** How much of the weight has to be matched. */
export function leastWeightOf({ parts, share }: PlanList): number {
  return share * weightOf(parts) - ROUNDING;
}

export function weightOf(parts: readonly Pick<Part, 'weight'>[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
