import { hourOf, ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import { merged, percentilesOf } from './histogram.ts';
import type { HourSummary } from './hour-summary.ts';
import { ROUND_MS } from './rounds.ts';

/** How latencies went over the last days, in steps of whole hours that are the same for all targets. */

export interface LatencyStep {
  /** Unix milliseconds: a multiple of the step's length (UTC). */
  readonly at: number;
  /** Milliseconds, as in `Percentiles`; null where no check succeeded, or nothing was measured. */
  readonly p50: number | null;
  readonly p95: number | null;
}

export const LATENCY_DAYS = 7;
export const STEP_HOURS = 3;
export const STEP_MS = STEP_HOURS * ROUNDS_IN_HOUR * ROUND_MS;
const STEPS = (LATENCY_DAYS * 24) / STEP_HOURS;

/**
 * The steps that end with the one that this round lies in, the oldest first; none where `through` is null. The last one
 * is not over.
 */
export function latencySteps(
  summaries: readonly HourSummary[],
  through: number | null,
): readonly LatencyStep[] {
  if (through === null) return [];
  const first = stepOf(hourOf(through)) - STEPS + 1;
  const byStep = Map.groupBy(summaries, ({ hour }) => stepOf(hour));
  return Array.from({ length: STEPS }, (_, index) => {
    const step = first + index;
    const { p50, p95 } = percentilesOf(merged((byStep.get(step) ?? []).map(({ latency }) => latency)));
    return { at: step * STEP_MS, p50, p95 };
  });
}

function stepOf(hour: number): number {
  return Math.floor(hour / STEP_HOURS);
}
