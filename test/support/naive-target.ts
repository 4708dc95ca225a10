import type { Component, ShownIncident } from '../../src/monitor/status-schema.ts';
import type { Policy } from '../../src/monitor/policy.ts';
import type { MonitorEvent, ProbeCompleted } from '../../src/events/monitor-events.ts';

/** One target of the naive monitor: the state after each of its rounds, and its incidents. */

export type State = Component['state'];
type Letter = 'ok' | 'weak' | 'fail' | 'none';

export interface NaiveTarget {
  readonly id: string;
  readonly name: { ru: string; en: string };
  readonly critical: boolean;
  readonly slow_ms: number;
  readonly first: number;
  readonly last: number;
  /** By round: the probes that count, and the state after it. */
  readonly probes: ReadonlyMap<number, readonly ProbeCompleted['data'][]>;
  readonly states: ReadonlyMap<number, State>;
  readonly incidents: readonly ShownIncident[];
  readonly flapping: boolean;
}

export function naiveTarget(
  id: string,
  events: readonly MonitorEvent[],
  now: number,
  policy: Policy,
): NaiveTarget | null {
  const written = events
    .filter((event) => event.type !== 'monitor.probe.completed')
    .toSorted((a, b) => a.data.revision - b.data.revision)
    .at(-1);
  if (written?.type !== 'monitor.target.defined') return null;
  const { name, critical, slow_ms } = written.data;
  const probes = countedProbes(sinceRemoval(events), now, policy);
  const first = Math.min(...probes.keys());
  let last = probes.size === 0 ? -1 : first;
  while (last >= 0 && secondsOf(last + 1, policy) * 1000 <= now) last += 1;
  const lived = live(id, probes, first, last, policy);
  return { id, name, critical, slow_ms, first, last, probes, ...lived };
}

/** Without the probes of rounds that began before the newest removal. */
function sinceRemoval(events: readonly MonitorEvent[]): readonly MonitorEvent[] {
  const removal = events
    .filter((event) => event.type === 'monitor.target.removed')
    .toSorted((a, b) => a.data.revision - b.data.revision)
    .at(-1);
  if (!removal) return events;
  const at = Date.parse(removal.time);
  return events.filter((event) => !('round' in event.data) || event.data.round * 60_000 >= at);
}

function isAfter({ data }: ProbeCompleted): boolean {
  return Math.floor(Date.parse(data.checked_at) / 60_000) > data.round;
}

/** The probes of the rounds that have counted, of each place one that was checked after the round, else the greatest digest. */
function countedProbes(
  events: readonly MonitorEvent[],
  now: number,
  policy: Policy,
): Map<number, readonly ProbeCompleted['data'][]> {
  const probes = events
    .filter((event): event is ProbeCompleted => event.type === 'monitor.probe.completed')
    .filter(({ data }) => secondsOf(data.round, policy) * 1000 <= now)
    .toSorted((a, b) => Number(isAfter(a)) - Number(isAfter(b)) || (a.digest < b.digest ? -1 : 1));
  return new Map(
    [...Map.groupBy(probes, ({ data }) => data.round)].map(([round, ofRound]) => [
      round,
      [...new Map(ofRound.map(({ data }) => [data.vantage_point, data])).values()],
    ]),
  );
}

/** When a round counts, in Unix seconds. */
export function secondsOf(round: number, policy: Policy): number {
  return round * 60 + 60 + policy.settle_s;
}

function live(
  id: string,
  probes: ReadonlyMap<number, readonly ProbeCompleted['data'][]>,
  first: number,
  last: number,
  policy: Policy,
): Pick<NaiveTarget, 'states' | 'incidents' | 'flapping'> {
  const letters = new Map<number, Letter>();
  const states = new Map<number, State>();
  const incidents: ShownIncident[] = [];
  /** Seconds at which the state changed, since the count was last cleared. */
  let changes: number[] = [];
  let state: State = 'unknown';
  let flapping = false;
  let silentSince = first - 1;
  let upSince = first - 1;
  for (let round = first; round <= last; round += 1) {
    letters.set(round, letterOf(probes.get(round) ?? []));
    const heard = (after: number) => {
      const found: number[] = [];
      for (let back = round; back > after; back -= 1) if (letters.get(back) !== 'none') found.unshift(back);
      return found;
    };
    // No rule looks further back than this many rounds that were heard.
    const recent = heard(Math.max(silentSince, round - 60));
    const all = (count: number, ...wanted: Letter[]) =>
      recent.length >= count &&
      recent.slice(-count).every((one) => wanted.includes(letters.get(one) ?? 'none'));
    const notOk = recent
      .filter((one) => one > upSince)
      .slice(-policy.degraded_window)
      .filter((one) => letters.get(one) !== 'ok');
    const isSilent = Array.from({ length: policy.unknown_rounds }, (_, back) => round - back).every(
      (one) => one >= first && letters.get(one) === 'none',
    );
    let asked: State = state;
    let causedBy: number[] = [];
    if (isSilent) {
      asked = 'unknown';
      silentSince = round;
    } else if (letters.get(round) === 'none') {
      asked = state;
    } else if (flapping) {
      if (all(policy.flap_ok_rounds, 'ok')) asked = 'up';
    } else if (state === 'unknown') {
      causedBy = recent.slice(-policy.recover_rounds).filter((one) => letters.get(one) !== 'ok');
      if (all(policy.recover_rounds, 'ok')) asked = 'up';
      if (all(policy.recover_rounds, 'weak')) asked = 'degraded';
      if (all(policy.recover_rounds, 'fail')) asked = 'down';
    } else if (state !== 'down' && all(policy.fail_rounds, 'fail')) {
      asked = 'down';
      causedBy = recent.slice(-policy.fail_rounds);
    } else if (state === 'up' && notOk.length >= policy.degraded_rounds) {
      asked = 'degraded';
      causedBy = notOk;
    } else if (state === 'degraded' && all(policy.steady_rounds, 'ok')) {
      asked = 'up';
    } else if (state === 'down' && all(policy.recover_rounds, 'ok', 'weak')) {
      asked = all(policy.recover_rounds, 'ok') ? 'up' : 'degraded';
    }
    if (asked !== state) {
      const seconds = secondsOf(round, policy);
      let next: State = asked;
      changes = changes.filter((change) => seconds - change <= policy.flap_window_s);
      changes.push(seconds);
      if (flapping) {
        flapping = false;
        changes = [];
      } else if (changes.length > policy.flap_changes && asked !== 'unknown') {
        flapping = true;
        next = 'degraded';
      }
      if (next !== state) {
        const closing = recent.slice(recent.findLastIndex((one) => letters.get(one) !== 'ok') + 1);
        recordChange(id, incidents, next, seconds, probes, causedBy, closing, policy);
        if (next === 'up') upSince = round;
        state = next;
      }
    }
    states.set(round, state);
  }
  return { states, incidents, flapping };
}

function letterOf(probes: readonly ProbeCompleted['data'][]): Letter {
  const share = (result: string) => probes.filter((one) => one.result === result).length / probes.length;
  if (probes.length === 0) return 'none';
  if (share('fail') > 0.5) return 'fail';
  return share('fail') > 0 || share('slow') > 0.5 ? 'weak' : 'ok';
}

function recordChange(
  target: string,
  incidents: ShownIncident[],
  state: State,
  seconds: number,
  probes: ReadonlyMap<number, readonly ProbeCompleted['data'][]>,
  causedBy: readonly number[],
  closing: readonly number[],
  policy: Policy,
): void {
  const last = incidents.at(-1);
  const checks = (rounds: readonly number[]) =>
    rounds
      .flatMap((round) => probes.get(round) ?? [])
      .toSorted((a, b) => (a.checked_at < b.checked_at ? -1 : 1));
  if (state === 'unknown') return;
  if (state === 'up') {
    if (last?.state !== 'open') return;
    const good = checks(closing).find(({ result }) => result === 'ok');
    const goodAt = shown(good?.checked_at ?? new Date(seconds * 1000).toISOString());
    const isBefore = Date.parse(goodAt) < Date.parse(last.started_at);
    const resolved_at = isBefore ? last.started_at : goodAt;
    incidents[incidents.length - 1] = {
      ...last,
      state: 'resolved',
      resolved_at,
      duration_s: Math.floor((Date.parse(resolved_at) - Date.parse(last.started_at)) / 1000),
    };
    return;
  }
  const bad = checks(causedBy).filter(({ result }) => result !== 'ok');
  const firstGood = checks(closing).find(({ result }) => result === 'ok');
  const first = bad[0] ?? firstGood;
  const started_at = shown(first?.checked_at ?? new Date(seconds * 1000).toISOString());
  const severity = state === 'down' || last?.severity === 'down' ? 'down' : 'degraded';
  const isSame =
    last !== undefined &&
    (last.resolved_at === null ||
      Date.parse(started_at) <= Date.parse(last.resolved_at) + policy.reopen_s * 1000);
  if (isSame) {
    incidents[incidents.length - 1] = {
      ...last,
      state: 'open',
      resolved_at: null,
      duration_s: null,
      severity,
    };
    return;
  }
  incidents.push({
    id: `${target}-${seconds}`,
    state: 'open',
    severity: state,
    components: [target],
    cause: naiveCause(bad.flatMap(({ result, cause }) => (result === 'fail' && cause ? [cause] : []))),
    started_at,
    detected_at: shown(new Date(seconds * 1000).toISOString()),
    resolved_at: null,
    duration_s: null,
  });
}

function naiveCause(causes: readonly string[]): string | null {
  let best: string | null = null;
  const timesOf = (wanted: string | null) => causes.filter((cause) => cause === wanted).length;
  for (const cause of causes.toSorted()) if (timesOf(cause) > timesOf(best)) best = cause;
  return best;
}

export function shown(instant: string): string {
  return instant.replace('.000Z', 'Z');
}
