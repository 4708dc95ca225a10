import type { Component, ShownIncident, Status } from '../../src/monitor/status-schema.ts';
import type { Policy } from '../../src/monitor/policy.ts';
import type { MonitorEvent } from '../../src/events/monitor-events.ts';
import { naiveTarget, secondsOf, shown, type NaiveTarget, type State } from './naive-target.ts';

/**
 * The monitor's status a second time, from the whole list of events: every round's state by looking back over the
 * results before it, uptime by counting minutes, percentiles by sorting latencies. It keeps no runs and no windows. It and
 * the projection check each other. Texts and staleness are left out.
 * Nothing in it and in `naive-target.ts` is shared with anything else.
 */

type NaiveStatus = Omit<Status, 'text' | 'stale' | 'policy'>;

export function naiveStatus(events: readonly MonitorEvent[], now: number, policy: Policy): NaiveStatus {
  const targets = [...Map.groupBy(events, ({ subject }) => subject)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, ofOne]) => naiveTarget(id, ofOne, now, policy))
    .filter((target) => target !== null);
  const reported = targets.filter(({ probes }) => probes.size > 0);
  const from = Math.min(...reported.map(({ first }) => first));
  const to = Math.max(-1, ...reported.map(({ last }) => last));
  const overall = new Map<number, State>();
  for (let round = from; round <= to; round += 1) {
    const members = reported.filter(({ first }) => first <= round);
    overall.set(round, naiveOverall(members.map((member) => memberAt(member, round))));
  }
  const members = targets.map((member) => memberAt(member, to));
  const state = naiveOverall(members);
  return {
    state,
    indicator: naiveIndicator(state, members),
    flapping: targets.some(({ flapping }) => flapping),
    since: overall.get(to) === state ? naiveSince(overall, from, to, policy) : null,
    checked_at: naiveCheckedAt(targets),
    interval_s: 60,
    uptime: naiveUptime(overall, to),
    latency_ms: naiveLatency(targets, to),
    components: targets.map((target) => ({
      id: target.id,
      name: target.name,
      critical: target.critical,
      slow_ms: target.slow_ms,
      state: memberAt(target, target.last).state,
      since: naiveSince(target.states, target.first, target.last, policy),
      checked_at: naiveCheckedAt([target]),
      latency_ms: naiveLatency([target], target.last),
      uptime: naiveUptime(target.states, target.last),
      vantage_points: naivePoints(target),
    })),
    incidents: targets
      .flatMap(({ incidents }) => incidents)
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(0, 10),
  };
}

function rankOf(incident: ShownIncident): number {
  return (incident.state === 'open' ? -1e15 : 0) - Date.parse(incident.detected_at);
}

function memberAt({ critical, states }: NaiveTarget, round: number): { critical: boolean; state: State } {
  return { critical, state: states.get(round) ?? 'unknown' };
}

function naiveOverall(members: readonly { critical: boolean; state: State }[]): State {
  const critical = members.filter((member) => member.critical).map(({ state }) => state);
  const states = members.map(({ state }) => state);
  if (critical.length > 0 && new Set(critical).size === 1 && critical.includes('down')) return 'down';
  if (states.includes('down') || states.includes('degraded')) return 'degraded';
  return critical.includes('unknown') || states.length === 0 ? 'unknown' : 'up';
}

function naiveIndicator(
  state: State,
  members: readonly { critical: boolean; state: State }[],
): Status['indicator'] {
  if (state === 'unknown') return null;
  if (state === 'up') return 'none';
  if (state === 'down') return 'critical';
  return members.some((member) => member.critical && member.state === 'down') ? 'major' : 'minor';
}

function naiveSince(states: ReadonlyMap<number, State>, first: number, last: number, policy: Policy) {
  if (states.size === 0) return null;
  let round = last;
  while (round > first && states.get(round - 1) === states.get(last)) round -= 1;
  return shown(new Date(secondsOf(round, policy) * 1000).toISOString());
}

function naiveCheckedAt(targets: readonly NaiveTarget[]): string | null {
  const newest = targets.flatMap(({ probes }) => {
    const round = Math.max(...probes.keys());
    return (probes.get(round) ?? []).map(({ checked_at }) => checked_at);
  });
  return newest.length === 0 ? null : shown(newest.toSorted().at(-1) ?? '');
}

/** The state after a round holds for the minute until the next one counts. */
function naiveUptime(states: ReadonlyMap<number, State>, last: number): Status['uptime'] {
  const within = (days: number) => {
    const minutes = days * 24 * 60;
    let available = 0;
    let known = 0;
    for (const [round, state] of states) {
      if (round >= last || round < last - minutes) continue;
      if (state !== 'unknown') known += 1;
      if (state === 'up' || state === 'degraded') available += 1;
    }
    const pct = known === 0 ? null : Math.round((10_000 * available) / known) / 100;
    return { pct, coverage: Math.round((100 * known) / minutes) / 100 };
  };
  return { '24h': within(1), '7d': within(7), '30d': within(30), '90d': within(90) };
}

function naiveLatency(targets: readonly NaiveTarget[], last: number): Status['latency_ms'] {
  const within = (minutes: number) => {
    const latencies: number[] = [];
    for (const { probes } of targets) {
      for (let round = last - minutes + 1; round <= last; round += 1) {
        for (const { result, latency_ms } of probes.get(round) ?? []) {
          if (result !== 'fail' && latency_ms !== null) latencies.push(latency_ms);
        }
      }
    }
    latencies.sort((a, b) => a - b);
    const rank = (percent: number) => latencies[Math.ceil((latencies.length * percent) / 100) - 1] ?? null;
    return { p50: rank(50), p95: rank(95), p99: rank(99) };
  };
  return { '1h': within(60), '24h': within(24 * 60) };
}

function naivePoints({ probes, last }: NaiveTarget): Component['vantage_points'] {
  const names = new Set([...probes.values()].flat().map(({ vantage_point }) => vantage_point));
  return [...names].toSorted().flatMap((id) => {
    for (let round = last; round > last - 24 * 60; round -= 1) {
      const found = probes.get(round)?.find(({ vantage_point }) => vantage_point === id);
      if (found) return [{ id, result: found.result, checked_at: shown(found.checked_at) }];
    }
    return [];
  });
}
