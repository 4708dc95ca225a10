import { createRandom } from '../src/sample/random.ts';

/** What measurements say. Pure; the resampling is seeded, so the same figures give the same bounds. */

/** The value below which the share `p` (0 to 1) of the values lies, by nearest rank; NaN where there are none. */
export function percentile(values: ArrayLike<number>, p: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? Number.NaN;
}

export function median(values: ArrayLike<number>): number {
  return percentile(values, 0.5);
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Where the median of such values lies with 95 % confidence, by resampling them 2,000 times (percentile bootstrap). */
export function medianInterval(values: readonly number[]): Interval {
  const random = createRandom('bootstrap');
  const medians = Array.from({ length: 2000 }, () =>
    median(values.map(() => values[Math.floor(random.uniform() * values.length)] ?? Number.NaN)),
  );
  return { low: percentile(medians, 0.025), high: percentile(medians, 0.975) };
}
