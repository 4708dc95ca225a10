import { DAY_MS } from '../platform/time/instant.ts';
import { CATEGORIES, CATEGORY_TYPES } from './category-events.ts';
import { ENTRIES, ENTRY_TYPES } from './entry-events.ts';
import { splitType, type CloudEvent } from './envelope.ts';
import type { EventType } from './event.ts';
import type { TopicSpec, NewRecord } from './log/port.ts';
import { METRICS, METRICS_TYPES } from './measurement-events.ts';
import { MONITOR_TYPES, PROBES, TARGETS } from './monitor-events.ts';
import { STRUCTURED } from './parse-cloudevent.ts';

/** The one list of the types of events that upstream may publish. */
export const EVENT_TYPES: readonly EventType[] = [
  ...ENTRY_TYPES,
  ...METRICS_TYPES,
  ...CATEGORY_TYPES,
  ...MONITOR_TYPES,
];

/** The topic that events of this type stand on, without the prefix; null where nobody knows the type. */
export function topicOf(type: string): string | null {
  const { name } = splitType(type);
  return EVENT_TYPES.find((known) => known.name === name)?.topic ?? null;
}

/** Where upstream reads what was refused, and why. */
export const REJECTED = 'catalog.rejected';

/** Names without the configured prefix. */
export const TOPICS: readonly TopicSpec[] = [
  topic(ENTRIES, null),
  topic(METRICS, null),
  topic(CATEGORIES, null),
  topic(TARGETS, null),
  topic(PROBES, 100 * DAY_MS),
  topic(REJECTED, 30 * DAY_MS),
];

function topic(name: string, retentionMs: number | null): TopicSpec {
  return { name, partitions: 6, retentionMs };
}

/**
 * An event as a record in the structured mode, on the topic of its type, without a prefix.
 * @throws {Error} where nobody knows the type.
 */
export function structuredRecord(event: CloudEvent): NewRecord {
  return recordFor(event.type, event.subject, Buffer.from(JSON.stringify(event)));
}

/** The type with or without its version. */
export function recordFor(type: string, subject: string, value: Uint8Array): NewRecord {
  const known = topicOf(type);
  if (known === null) throw new Error(`No topic is known for events of type ${type}`);
  return { topic: known, key: subject, value, headers: { 'content-type': STRUCTURED } };
}
