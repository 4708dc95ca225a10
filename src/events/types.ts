import { CATEGORY_TYPES } from './categories.ts';
import { ENTRY_TYPES } from './entries.ts';
import type { EventType } from './event.ts';
import { METRICS_TYPES } from './metrics.ts';
import { MONITOR_TYPES } from './monitor.ts';

/** The one list of the types of events that upstream may publish. */
export const EVENT_TYPES: readonly EventType[] = [
  ...ENTRY_TYPES,
  ...METRICS_TYPES,
  ...CATEGORY_TYPES,
  ...MONITOR_TYPES,
];

/**
 * `catalog.entry.published.v1` in its parts. The version is 0, which no type has, where none is written or it is written
 * with leading zeros.
 */
export function splitType(type: string): { readonly name: string; readonly version: number } {
  const [, name, version] = /^(.+)\.v(\d+)$/s.exec(type) ?? [];
  if (name === undefined || version === undefined) return { name: type, version: 0 };
  return { name, version: version.startsWith('0') ? 0 : Number(version) };
}

/** The topic that events of this type stand on, without the prefix; null where nobody knows the type. */
export function topicOf(type: string): string | null {
  const { name } = splitType(type);
  return EVENT_TYPES.find((known) => known.name === name)?.topic ?? null;
}
