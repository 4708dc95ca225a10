import type { Bound } from './goals.ts';
import { median, medianInterval, type Interval } from './statistics.ts';

/**
 * - `met`: the worse bound of the interval reaches the goal;
 * - `missed`: it lies between the goal and where the benchmark fails;
 * - `failed`: it lies beyond that;
 * - `inconclusive`: the machine was too unsteady to tell, as the A/A pairs show, or so few pairs leave both open. Never a pass.
 */
export type Verdict = 'met' | 'missed' | 'failed' | 'inconclusive' | 'for information';

/** How far the median of A/A ratios may be from 1. */
export const STEADY = { low: 0.93, high: 1.07 };

/**
 * With fewer pairs, an interval that reaches beyond the failing bound and not wholly lies there says nothing; and the median of
 * A/A may be near 1 by chance, so the whole interval of it has to be.
 */
const ENOUGH_PAIRS = 20;

/** `same` are the ratios of the A/A pairs of the same run. */
export function verdictOf(bound: Bound, ratios: readonly number[], same: readonly number[]): Verdict {
  const aa = median(same);
  const { low, high } = ratios.length >= ENOUGH_PAIRS ? { low: aa, high: aa } : medianInterval(same);
  if (!(low >= STEADY.low && high <= STEADY.high)) return 'inconclusive';
  const { worse, better } = sidesOf(bound, medianInterval(ratios));
  const reaches = (value: number, limit: number): boolean =>
    bound.side === 'least' ? value >= limit : value <= limit;
  if (reaches(worse, bound.goal)) return 'met';
  if (reaches(worse, bound.fails)) return 'missed';
  return ratios.length >= ENOUGH_PAIRS || !reaches(better, bound.fails) ? 'failed' : 'inconclusive';
}

/** Of one plain value. */
export function plainVerdict({ side, goal, fails }: Bound, value: number): Verdict {
  const reaches = (limit: number): boolean => (side === 'least' ? value >= limit : value <= limit);
  if (reaches(goal)) return 'met';
  return reaches(fails) ? 'missed' : 'failed';
}

function sidesOf(
  { side }: Bound,
  { low, high }: Interval,
): { readonly worse: number; readonly better: number } {
  return side === 'least' ? { worse: low, better: high } : { worse: high, better: low };
}

/**
 * Of a plain rate, which says something on a quiet machine alone: one that is too low fails where the processor's time
 * (microseconds an event) says so too; else others may have had the machine.
 */
export function rateVerdict(
  perSecond: number,
  us: number,
  { goal, fails }: { readonly goal: number; readonly fails: number },
): Verdict {
  if (perSecond >= goal) return 'met';
  if (perSecond >= fails) return 'missed';
  return us > 1_000_000 / fails ? 'failed' : 'inconclusive';
}
