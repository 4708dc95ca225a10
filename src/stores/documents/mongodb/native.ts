import { isJsonObject, type Json } from '../../../platform/json.ts';
import { isNativeKey } from '../names.ts';

/** What JSON text would say of a value, as far as BSON holds it. */
export function copyOf(
  value: unknown,
  deep: number,
  tally: { bytes: number; isWhole: boolean },
): Json | undefined {
  // Its type, its length, its place in a list.
  tally.bytes += 16;
  if (typeof value === 'string') {
    tally.bytes += 3 * value.length;
    tally.isWhole &&= value.isWellFormed();
    return value;
  }
  // JSON has no -0.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object') return undefined;
  if (deep === 0) {
    tally.isWhole = false;
    return undefined;
  }
  if (Array.isArray(value)) return Array.from(value, (one) => copyOf(one, deep - 1, tally) ?? null);
  const copy: Record<string, Json> = {};
  for (const [key, one] of Object.entries(value) as [string, unknown][]) {
    if (!isNativeKey(key)) {
      tally.isWhole &&= one === undefined;
      continue;
    }
    tally.bytes += key.length;
    const member = copyOf(one, deep - 1, tally);
    if (member !== undefined) copy[key] = member;
  }
  return copy;
}

/** Removes an object or a list from where an index expects a scalar: it counts as missing. Whether there was one. */
export function leaveOut(native: Record<string, Json>, path: string): boolean {
  const keys = path.split('.');
  let holder: Record<string, Json> = native;
  for (const [at, key] of keys.entries()) {
    const value = holder[key];
    if (Array.isArray(value) || (isJsonObject(value) && at === keys.length - 1)) {
      delete holder[key];
      return true;
    }
    if (!isJsonObject(value)) return false;
    holder = value;
  }
  return false;
}
