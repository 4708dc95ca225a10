import type { MonitorEvent, ProbeCompleted, TargetDefined, TargetRemoved } from '../../src/events/monitor.ts';
import {
  keyed,
  lastWriterWins,
  record,
  shortDigest,
  type Register,
  type Written,
} from '../../src/projecting/register.ts';
import type { Definition, MonitorRegisters, Probe } from './document.ts';
import { hourOf } from './rounds.ts';

/** How the monitor's events become registers. */

export const registers: Register<MonitorRegisters> = record<MonitorRegisters>({
  definition: lastWriterWins<Definition>(),
  probes: keyed(keyed(lastWriterWins<Probe>())),
});

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

/** The id of the document with the probes of a target's hour. A target's id holds no slash. */
export function hourId(target: string, hour: number): string {
  return `${target}/${hour}`;
}

/** The target that a document is about. */
export function targetOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** The hour that a document is about; null for that of a target. */
export function hourOfId(id: string): number | null {
  const [, hour] = id.split('/', 2);
  return hour === undefined ? null : Number(hour);
}

/** The registers of a document of which nothing but this event is known. */
export function contribution(event: MonitorEvent): MonitorRegisters {
  if (event.type === 'monitor.probe.completed') return { ...registers.empty, probes: probed(event) };
  return { ...registers.empty, definition: written(event) };
}

function probed(event: ProbeCompleted): MonitorRegisters['probes'] {
  const { vantage_point, round, ...value } = event.data;
  return { [round]: { [vantage_point]: { at: round, digest: shortDigest(event.digest), value } } };
}

function written(event: TargetDefined | TargetRemoved): Written<Definition> {
  const digest = shortDigest(event.digest);
  if (event.type === 'monitor.target.removed') return { at: event.data.revision, digest, value: null };
  const { revision: at, ...value } = event.data;
  return { at, digest, value };
}
