import { PROBES, ROUND_MS, TARGETS } from '../../src/events/monitor-events.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { bucketOf } from './latency-bucket.ts';
import type { HourView, MonitorRegisters, MonitorView, StoredRound } from './document.ts';
import { contribution, documentId, registers } from './event-to-registers.ts';
import { firstKeptHour, hourOf, hourOfId, targetOf } from './hours.ts';

/** One document for each target, and one for each target and hour of probes. Readers compute the state (src/monitor). */
export const monitor: Projection<MonitorRegisters, MonitorView> = {
  name: 'monitor',
  version: 2,
  topics: [TARGETS, PROBES],
  registers,
  indexes: [['view.kind', 'view.target', 'view.hour']],
  documentId,
  contribution,
  view,
  // An hour is inside the kept days or outside them as a whole: sweeps remove documents, never parts of one.
  trim: (untrimmed) => untrimmed,
  outside,
};

/** Hours that are too old to be kept, counted back from the newest one of their target. */
function* outside(ids: readonly string[]): Iterable<string> {
  const newest = new Map<string, number>();
  const hours = ids.flatMap((id) => {
    const hour = hourOfId(id);
    return hour === null ? [] : [{ id, target: targetOf(id), hour }];
  });
  for (const { target, hour } of hours) newest.set(target, Math.max(hour, newest.get(target) ?? hour));
  for (const { id, target, hour } of hours) {
    if (hour < firstKeptHour(newest.get(target) ?? hour)) yield id;
  }
}

function view(id: string, { definition, removed, probes }: MonitorRegisters): MonitorView {
  const target = targetOf(id);
  const rounds = roundsOf(probes);
  if (rounds[0]) return { kind: 'hour', target, hour: hourOf(rounds[0].round), rounds };
  if (definition?.value)
    return { kind: 'target', target, defined: true, since: firstRoundAfter(removed), ...definition.value };
  return { kind: 'target', target, defined: false };
}

/** The first round that begins at the removal or after it. */
function firstRoundAfter(removed: MonitorRegisters['removed']): number {
  return removed?.time === undefined ? 0 : Math.max(0, Math.ceil(Date.parse(removed.time) / ROUND_MS));
}

function roundsOf(probes: MonitorRegisters['probes']): HourView['rounds'] {
  const rounds = Object.entries(probes).map(([round, points]) => ({
    round: Number(round),
    checks: checksOf(points),
  }));
  return rounds.sort((a, b) => a.round - b.round);
}

function checksOf(points: MonitorRegisters['probes'][string]): StoredRound['checks'] {
  const checks: StoredRound['checks'] = [];
  for (const [point, written] of Object.entries(points)) {
    if (!written?.value) continue;
    const { checked_at, result, cause, latency_ms } = written.value;
    const latency = latency_ms === null ? null : bucketOf(latency_ms);
    checks.push({ point, result, at: Date.parse(checked_at), cause, latency });
  }
  return checks.sort((a, b) => (a.point < b.point ? -1 : 1));
}
