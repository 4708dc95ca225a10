import { hourOf, ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import type { Percentiles, Status } from './status-schema.ts';
import { type Histogram, latenciesOf, merged, percentilesOf } from './histogram.ts';
import type { History } from './target-history.ts';
import { hasRoundsBefore, isClosed, ROUNDS_IN_DAY, ROUND_MS } from './rounds.ts';
import type { HourSummary } from './hour-summary.ts';

/** Latencies of whole windows: hours from their summaries, the hours that a window cuts from their rounds. */

export function latencyOf(histories: readonly History[]): Status['latency_ms'] {
  const within = (rounds: number) =>
    percentilesOf(merged(histories.map((history) => latenciesWithin(history, rounds))));
  return { '1h': within(ROUNDS_IN_HOUR), '24h': within(ROUNDS_IN_DAY) };
}

/**
 * The first hour whose document readers need beside its summary, given the newest round that somebody reported in:
 * windows of latencies begin within it or later, and so do the last results of vantage points.
 */
export function firstRecentHour(reported: number): number {
  return hourOf(reported - ROUNDS_IN_DAY + 1);
}

/** The latencies of the last so many rounds: whole hours from their summaries, hours that are cut round by round. */
function latenciesWithin(history: History, count: number): Histogram {
  const { through } = history;
  const first = through - count + 1;
  const whole = history.summaries.filter(
    ({ hour }) => !hasRoundsBefore(hour, first) && isClosed(hour, through),
  );
  const isWhole = new Set(whole.map(({ hour }) => hour));
  const cut = history.rounds.filter(
    ({ round }) => round >= first && round <= through && !isWhole.has(hourOf(round)),
  );
  return merged([...whole.map(({ latency }) => latency), latenciesOf(cut)]);
}

/** How latencies went over some hours of the last days: the same hours for all targets. */
export interface LatencyStep extends Pick<Percentiles, 'p50' | 'p95'> {
  /** Unix milliseconds: a multiple of the step's length (UTC). */
  readonly at: number;
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
