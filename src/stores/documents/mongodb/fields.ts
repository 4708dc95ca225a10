import { isJsonObject } from '../../../platform/json.ts';
import { rootOf } from '../names.ts';
import type { Scalar } from '../port.ts';
import type { Layout } from './layout.ts';

/** A map, because a key may be `__proto__` or `_bsontype`. */
export type Fields = ReadonlyMap<string, Exclude<Scalar, null>>;

const KEY = /^[a-z0-9_]+$/i;
/** Longer text counts as missing in every index over `fields`: it is prose, and would be kept twice. In bytes of UTF-8. */
const LONGEST = 1024;

export function collect(
  entries: readonly (readonly [string, unknown])[],
  prefix: string,
  deep: number,
  fields: Map<string, Exclude<Scalar, null>>,
): void {
  for (const [key, value] of entries) {
    if (isIndexed(value)) {
      if (KEY.test(key)) fields.set(`${prefix}${key}`, value);
    } else if (isJsonObject(value) && deep > 1 && KEY.test(key)) {
      collect(Object.entries(value), `${prefix}${key}/`, deep - 1, fields);
    }
  }
}

function isIndexed(value: unknown): value is Exclude<Scalar, null> {
  if (typeof value === 'string') return value.length <= LONGEST && Buffer.byteLength(value) <= LONGEST;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** The scalar that an index has for a body at a path. */
export function indexedAt(body: unknown, path: string, { native }: Layout): Scalar {
  let value = body;
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return null;
    value = value[key];
  }
  if (typeof value === 'string' && native.has(rootOf(path))) return value;
  return isIndexed(value) ? value : null;
}
