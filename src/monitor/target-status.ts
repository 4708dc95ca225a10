import type { Check } from '../../projections/monitor/document.ts';
import { type Component, type VantagePoint, shownInstant } from './status-schema.ts';
import type { History } from './target-history.ts';
import { latencyOf } from './latency.ts';
import type { Transition } from './machine-state.ts';
import type { Policy } from './policy.ts';
import { countsAt, ROUNDS_IN_DAY } from './rounds.ts';
import { uptimeOf } from './uptime.ts';

/** One watched target as a status shows it. */

export function componentOf(history: History, policy: Policy): Component {
  const { target, machine, transitions } = history;
  const { name, critical, slow_ms } = target;
  return {
    id: target.target,
    name,
    critical,
    slow_ms,
    state: stateOf(history),
    since: sinceOf(transitions),
    checked_at: instantOf(machine?.checkedAt ?? null),
    latency_ms: latencyOf([history]),
    uptime: uptimeOf(transitions, endOf([history], policy)),
    vantage_points: vantagePointsOf(history),
  };
}

export function stateOf({ machine }: History): Component['state'] {
  return machine?.state ?? 'unknown';
}

export function sinceOf(timeline: readonly Transition[]): string | null {
  return instantOf(timeline.at(-1)?.at ?? null);
}

export function instantOf(instant: number | null): string | null {
  return instant === null ? null : shownInstant(instant);
}

/** The newest of rounds or instants; null where none is known. */
export function newest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** When the windows of these targets end: at the last counted round; null where there are no rounds. */
export function endOf(histories: readonly History[], policy: Policy): number | null {
  const counted = newest(histories.map(({ machine }) => machine?.round ?? null));
  return counted === null ? null : countsAt(counted, policy);
}

function vantagePointsOf({ rounds, through }: History): VantagePoint[] {
  const last = new Map<string, Check>();
  for (const { round, checks } of rounds) {
    if (round <= through - ROUNDS_IN_DAY) continue;
    for (const check of checks) last.set(check.point, check);
  }
  return [...last.values()]
    .map(({ point, result, at }) => ({ id: point, result, checked_at: shownInstant(at) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
