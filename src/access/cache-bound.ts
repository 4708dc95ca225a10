import { getHeapStatistics } from 'node:v8';

/**
 * How many keys a process remembers at most, and how many days of places: a million where the heap may take a gigabyte, and
 * fewer in less. A key and its place take half a kilobyte, so this is half of the heap at most.
 */
export const REMEMBERED = Math.min(1_000_000, Math.floor(getHeapStatistics().heap_size_limit / 1000));

/**
 * Forgets the first entries of so many, and moves those that have to stay to the end. Many at once: whoever looks for the
 * first entry of a `Map` passes all that were deleted before it.
 */
export function forgetFirst<Value>(
  map: Map<string, Value>,
  count: number,
  hasToStay: (value: Value) => boolean,
): void {
  for (const [key, value] of map.entries().take(count)) {
    map.delete(key);
    if (hasToStay(value)) map.set(key, value);
  }
}
