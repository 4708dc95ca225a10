import type { JsonObject } from '../platform/json.ts';
import type { EventType } from './event.ts';

/**
 * `data` of the given version (from 1), brought to the newest one by one upcaster after another. Throws whatever an
 * upcaster throws.
 */
export function upcast(
  { upcasters }: Pick<EventType, 'upcasters'>,
  version: number,
  data: JsonObject,
): JsonObject {
  return upcasters.slice(version - 1).reduce((older, upcaster) => upcaster(older), data);
}
