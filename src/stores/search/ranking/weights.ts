import type { Part, Wanted } from './plan.ts';

/** Of more parts the lightest do not help an entry that has only some: there would be too many combinations. */
const MOST = 5;
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

/** Parts that weigh enough: a part and what else is needed beside it, or one of several such. */
export type Enough =
  | { readonly both: readonly [Part, Enough] }
  | { readonly either: readonly Enough[] }
  | 'enough';

/**
 * Which parts are enough together: with a part less of the others is needed, without it as much. Null where none are. Pure.
 */
export function enoughOf(wanted: Wanted): Enough | null {
  if (wanted.share < 1) return enoughWith(heaviestOf(wanted), leastWeightOf(wanted));
  return wanted.parts.reduceRight<Enough>((rest, part) => ({ both: [part, rest] }), 'enough');
}

function enoughWith(parts: readonly Part[], least: number): Enough | null {
  if (least <= 0) return 'enough';
  const [first, ...others] = parts;
  if (first === undefined || weightOf(parts) < least) return null;
  const rest = enoughWith(others, least - first.weight);
  const without = enoughWith(others, least);
  const both: Enough | null = rest === null ? null : { both: [first, rest] };
  return both !== null && without !== null ? { either: [both, without] } : (both ?? without);
}

export function weightOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
