import type { CloudEvent } from '../events/envelope.ts';
import type { JsonObject } from '../platform/json-value.ts';
import type { SampleCategory } from './catalog.ts';
import type { Probe } from './probes.ts';
import type { Target } from './targets.ts';

/** What an event says of itself, beside what it is about. */
export type Origin = Pick<CloudEvent, 'id' | 'source' | 'time'>;

export function categoryDefined(
  { slug, parent, title }: SampleCategory,
  revision: number,
  origin: Origin,
): CloudEvent {
  const data = { revision, ...(parent === null ? {} : { parent }), title };
  return eventOf('catalog.category.defined.v1', slug, origin, data);
}

export function targetDefined({ id, name, critical, slowMs }: Target, origin: Origin): CloudEvent {
  return eventOf('monitor.target.defined.v1', id, origin, { revision: 1, name, critical, slow_ms: slowMs });
}

/** Measured at the time of the event. */
export function entryMeasured(slug: string, kind: string, measures: JsonObject, origin: Origin): CloudEvent {
  return eventOf('catalog.entry.measured.v1', slug, origin, {
    measured_at: origin.time,
    kind,
    ...measures,
  });
}

export function probeCompleted({ target, data }: Probe, origin: Origin): CloudEvent {
  return eventOf('monitor.probe.completed.v1', target, origin, data);
}

/** `data` is what the schema of the type asks for. */
export function eventOf(
  type: string,
  subject: string,
  { id, source, time }: Origin,
  data: JsonObject,
): CloudEvent {
  return { specversion: '1.0', id, source, type, subject, time, datacontenttype: 'application/json', data };
}
