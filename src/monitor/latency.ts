import { hourOf, ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import type { Status } from './status-body.ts';
import { type Histogram, latenciesOf, merged, percentilesOf } from './histogram.ts';
import type { History } from './history.ts';
import { ROUNDS_IN_DAY } from './rounds.ts';

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
    ({ hour }) => hour * ROUNDS_IN_HOUR >= first && (hour + 1) * ROUNDS_IN_HOUR - 1 <= through,
  );
  const isWhole = new Set(whole.map(({ hour }) => hour));
  const cut = history.rounds.filter(
    ({ round }) => round >= first && round <= through && !isWhole.has(hourOf(round)),
  );
  return merged([...whole.map(({ latency }) => latency), latenciesOf(cut)]);
}
