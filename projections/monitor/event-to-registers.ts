import {
  ROUND_MS,
  type MonitorEvent,
  type ProbeCompleted,
  type TargetDefined,
  type TargetRemoved,
} from '../../src/events/monitor-events.ts';
import { keyed, lastWriterWins, record, shortDigest } from '../../src/projecting/engine/register.ts';
import type { Definition, MonitorRegisters, Probe } from './document.ts';
import { hourId, hourOf } from './hours.ts';

/** How the monitor's events become registers. */

export const registers = record<MonitorRegisters>({
  definition: lastWriterWins<Definition>(),
  removed: lastWriterWins<never>(),
  probes: keyed(keyed(lastWriterWins<Probe>(isAfterRound))),
});

/** What was checked when the round was over tells more of it than what was checked before. `at` is the round. */
function isAfterRound({ checked_at }: Probe, at: number | string): number {
  return Number(Date.parse(checked_at) >= (Number(at) + 1) * ROUND_MS);
}

/** A target's id for its definition, `bot_api/494520` for an hour of its probes; null for events of others. */
export function documentId(event: MonitorEvent): string | null {
  switch (event.type) {
    case 'monitor.target.defined':
    case 'monitor.target.removed':
      return event.subject;
    case 'monitor.probe.completed':
      return hourId(event.subject, hourOf(event.data.round));
    default:
      return null;
  }
}

/** The registers of a document of which nothing but this event is known. */
export function contribution(event: MonitorEvent): MonitorRegisters {
  switch (event.type) {
    case 'monitor.probe.completed':
      return { ...registers.empty, probes: probed(event) };
    case 'monitor.target.removed':
      return { ...registers.empty, definition: tombstone(event), removed: tombstone(event) };
    case 'monitor.target.defined':
      return { ...registers.empty, definition: written(event) };
  }
}

function probed(event: ProbeCompleted): MonitorRegisters['probes'] {
  const { vantage_point, round, ...value } = event.data;
  return { [round]: { [vantage_point]: { at: round, digest: shortDigest(event.digest), value } } };
}

function written({
  data: { revision: at, ...value },
  digest,
}: TargetDefined): MonitorRegisters['definition'] {
  return { at, digest: shortDigest(digest), value };
}

function tombstone({ data, digest, time }: TargetRemoved): MonitorRegisters['removed'] {
  return { at: data.revision, digest: shortDigest(digest), time, value: null };
}
