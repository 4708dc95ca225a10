import { z } from 'zod';

import type { CloudEvent } from '../../src/events/envelope.ts';
import type { EventType, Upcaster } from '../../src/events/event.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';
import type { JsonObject } from '../../src/platform/json-value.ts';

/**
 * What the contract would look like had `catalog.entry.published` and `catalog.entry.measured` been through a version
 * more: today's schemas are version 2, and version 1 was said otherwise. No real type has an older version yet.
 *
 * In version 1, `verified` was written `is_verified` and `measured_at` was written `at`.
 */

const RENAMED: Readonly<Record<string, readonly [older: string, newer: string]>> = {
  'catalog.entry.published': ['is_verified', 'verified'],
  'catalog.entry.measured': ['at', 'measured_at'],
};

export const TYPES_WITH_OLDER_VERSION: readonly EventType[] = EVENT_TYPES.map(withOlderVersion);

function withOlderVersion(type: EventType): EventType {
  const [older, newer] = RENAMED[type.name] ?? [];
  if (older === undefined || newer === undefined) return type;
  const either = z.union([z.boolean(), z.string()], { error: 'a boolean or text' });
  const upcaster: Upcaster = (data) => rename(data, older, newer);
  return { ...type, versions: [z.looseObject({ [older]: either }), ...type.versions], upcasters: [upcaster] };
}

/** The event as version 1 would have said it; other types stay as they are. */
export function asVersionOne(event: CloudEvent): CloudEvent {
  const [older, newer] = RENAMED[nameOf(event)] ?? [];
  return older === undefined || newer === undefined
    ? event
    : { ...event, data: rename(event.data, newer, older) };
}

/** The event as version 2 says it: the upcast copy. */
export function asVersionTwo(event: CloudEvent): CloudEvent {
  const name = nameOf(event);
  return name in RENAMED ? { ...event, type: `${name}.v2` } : event;
}

function nameOf(event: CloudEvent): string {
  return event.type.replace(/\.v\d+$/, '');
}

function rename(data: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name === from ? to : name, value]));
}
