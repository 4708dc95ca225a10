import type { Check } from '../../projections/monitor/document.ts';
import { ROUNDS_IN_HOUR } from '../../projections/monitor/hours.ts';
import { shownInstant, type Component, type ShownIncident, type Status, type VantagePoint } from './body.ts';
import { merged, percentilesOf } from './histogram.ts';
import {
  historyOf,
  latenciesWithin,
  type DefinedTarget,
  type History,
  type Horizon,
  type Watched,
} from './history.ts';
import type { Incident, Transition } from './machine-state.ts';
import { overallOf, overallTimeline, textOf } from './overall.ts';
import type { Policy } from './policy.ts';
import { countsAt, lastCounted, ROUND_MS, ROUNDS_IN_DAY } from './rounds.ts';
import { uptimeOf } from './uptime.ts';

/**
 * The monitor's state, as readers see it: a pure function of the stored hours, the policy and the time.
 */

/** How well the log and the stores were read. Instants are Unix times in milliseconds. */
export interface Reading {
  /** How far the projection was behind the log when the hours were read: the age of the oldest event not yet folded. */
  readonly lagMs: number;
  /** When the hours were read. */
  readonly readAt: number;
  /** Whether reading fails now. */
  readonly storesDown: boolean;
}

/** A projection that is further behind than this is not asked about silence. */
const LAG_LIMIT_MS = 60_000;
const SHOWN_INCIDENTS = 10;

/** What a status depends on beside the hours and the policy: as long as it stays, so does the status. */
export interface Moment extends Horizon {
  /** Whether our own delay is too long for silence to mean anything. */
  readonly isBehind: boolean;
  readonly isOld: boolean;
}

/** `reported` is the newest counted round in which somebody reported; null where nobody ever has. */
export function momentOf(reported: number | null, now: number, policy: Policy, reading: Reading): Moment {
  return { ...horizonAt(now, policy, reading), isOld: isOld(reported, now, policy) };
}

/**
 * The body of a status answer at this moment.
 *
 * While the projection lags or the stores cannot be read, the state is shown as of the last round, and `stale`: our
 * delay is never taken for the platform's silence. Only a silence that is older than the delay still counts.
 */
export function statusOf(targets: readonly Watched[], now: number, policy: Policy, reading: Reading): Status {
  const horizon = horizonAt(now, policy, reading);
  const histories = historiesOf(targets, horizon, policy);
  const reported = newest(histories.map((history) => history.reported));
  const stale = horizon.isBehind || isOld(reported, now, policy);
  const flapping = histories.some(({ machine }) => machine?.flapping ?? false);
  const timeline = overallTimeline(
    histories.map(({ target, transitions }) => ({ critical: target.critical, transitions })),
  );
  const { state, indicator } = overallOf(
    histories.map((history) => ({ critical: history.target.critical, state: stateOf(history) })),
  );
  return {
    state,
    indicator,
    flapping,
    stale,
    // Not known where a target that was never probed decides.
    since: timeline.at(-1)?.state === state ? sinceOf(timeline) : null,
    checked_at: instantOf(newest(histories.map(({ machine }) => machine?.checkedAt ?? null))),
    interval_s: policy.interval_s,
    text: textOf({ indicator, flapping, stale, isChecked: reported !== null }),
    uptime: uptimeOf(timeline, endOf(histories, policy)),
    latency_ms: latencyOf(histories),
    components: histories.map((history) => componentOf(history, policy)),
    incidents: shownIncidents(histories),
    policy,
  };
}

function horizonAt(
  now: number,
  policy: Policy,
  { lagMs, readAt, storesDown }: Reading,
): Omit<Moment, 'isOld'> {
  const isBehind = storesDown || lagMs > LAG_LIMIT_MS;
  return {
    reports: lastCounted(now, policy),
    silence: lastCounted(isBehind ? Math.min(now, readAt - lagMs) : now, policy),
    isBehind,
  };
}

function isOld(reported: number | null, now: number, policy: Policy): boolean {
  return reported !== null && now - (reported + 1) * ROUND_MS > policy.stale_after_s * 1000;
}

/** Of the targets that are defined, ordered by id. */
function historiesOf(targets: readonly Watched[], horizon: Horizon, policy: Policy): readonly History[] {
  const histories: History[] = [];
  for (const watched of targets) {
    if (watched.target.defined) histories.push(historyOf(watched, watched.target, horizon, policy));
  }
  return histories.sort((a, b) => (a.target.target < b.target.target ? -1 : 1));
}

function componentOf(history: History, policy: Policy): Component {
  const { target, machine, transitions } = history;
  const { name, critical, slow_ms }: DefinedTarget = target;
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

function stateOf({ machine }: History): Component['state'] {
  return machine?.state ?? 'unknown';
}

function sinceOf(timeline: readonly Transition[]): string | null {
  return instantOf(timeline.at(-1)?.at ?? null);
}

function instantOf(instant: number | null): string | null {
  return instant === null ? null : shownInstant(instant);
}

/** The newest of rounds or instants; null where none is known. */
function newest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** When the windows of these targets end: at the last counted round; null where there are no rounds. */
function endOf(histories: readonly History[], policy: Policy): number | null {
  const counted = newest(histories.map(({ machine }) => machine?.round ?? null));
  return counted === null ? null : countsAt(counted, policy);
}

function latencyOf(histories: readonly History[]): Status['latency_ms'] {
  const within = (rounds: number) =>
    percentilesOf(merged(histories.map((history) => latenciesWithin(history, rounds))));
  return { '1h': within(ROUNDS_IN_HOUR), '24h': within(ROUNDS_IN_DAY) };
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

/** The last ones of all targets: open ones first, then the newest, then by id. */
function shownIncidents(histories: readonly History[]): ShownIncident[] {
  const all = histories.flatMap(({ target, incidents }) =>
    incidents.map((incident) => ({ incident, shown: shownIncident(target.target, incident) })),
  );
  all.sort(
    (a, b) =>
      Number(a.incident.resolved !== null) - Number(b.incident.resolved !== null) ||
      b.incident.detected - a.incident.detected ||
      (a.shown.id < b.shown.id ? -1 : 1),
  );
  return all.slice(0, SHOWN_INCIDENTS).map(({ shown }) => shown);
}

function shownIncident(target: string, incident: Incident): ShownIncident {
  const { started, detected, resolved, severity, cause } = incident;
  return {
    id: `${target}-${Math.floor(detected / 1000)}`,
    state: resolved === null ? 'open' : 'resolved',
    severity,
    components: [target],
    cause,
    started_at: shownInstant(started),
    detected_at: shownInstant(detected),
    resolved_at: resolved === null ? null : shownInstant(resolved),
    duration_s: resolved === null ? null : Math.max(0, Math.floor((resolved - started) / 1000)),
  };
}
