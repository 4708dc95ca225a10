import { isJsonObject, type Json } from '../../../platform/json.ts';
import { isNativeKey, isNativePath, rootOf } from '../checks.ts';
import type { Scalar, Stored, Version } from '../port.ts';

/**
 * A document as MongoDB keeps it: the body as JSON text, and each native key of it as a value of BSON, under its own
 * name, for people and for indexes. In the text a native key stands as `null`, so that nothing is kept twice.
 *
 * Text is read back exactly as it was written. BSON has no place for some keys and texts that JSON has, and gives
 * meaning to others (`$ref`, `_bsontype`). So there is one rule: where the value of a native key has a key that is not
 * a letter with letters, digits and _ behind it, text that is not well-formed, more than 20 levels, or an object or a
 * list where an index expects a scalar, the text has that value too, and the text is what is read back. Its native form
 * then lacks what broke the rule.
 *
 * What an index can be declared over beside native keys stands in `fields`: every scalar that a path reaches, whether
 * an index asks for it today or not, so that a new index serves the old documents, and those of processes that do not
 * know of it.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly version: Version;
  readonly body: string;
  /** By path, with slashes in place of dots: side by side, an object is nothing to an index over its own path. */
  readonly fields: Fields;
}

/** A map, because a key may be `__proto__` or `_bsontype`. */
export type Fields = ReadonlyMap<string, Exclude<Scalar, null>>;

/** What is read back: the native keys are whatever the document has. */
export const READ = { fields: 0 } as const;

/** What of a collection's bodies is native: the keys, and the paths under them that indexes have. */
export interface Layout {
  readonly native: ReadonlySet<string>;
  readonly paths: readonly string[];
}

/** The name of a path's field in queries and indexes. */
export function fieldOf(path: string, { native }: Layout): string {
  return native.has(rootOf(path)) ? path : `${PREFIX}${path.replaceAll('.', '/')}`;
}

/** The path of such a field, and whether it is native; null where the name is none. */
export function pathOf(field: string): { readonly path: string; readonly isNative: boolean } | null {
  if (field.startsWith(PREFIX)) {
    return { path: field.slice(PREFIX.length).replaceAll('/', '.'), isNative: false };
  }
  return isNativePath(field) ? { path: field, isNative: true } : null;
}

const PREFIX = 'fields.';

/** As deep as a path goes (checks.ts). */
const DEEPEST = 20;
const KEY = /^[a-z0-9_]+$/i;
/** Longer text counts as missing in every index over `fields`: it is prose, and would be kept twice. In bytes of UTF-8. */
const LONGEST = 1024;

/** A document to write, with about how many bytes it takes: rather more than less, its `fields` not counted. */
export function documentOf(
  { id, version, body }: { readonly id: string; readonly version: Version; readonly body: object },
  layout: Layout,
): { readonly document: StoredDocument; readonly bytes: number } {
  const text: Record<string, unknown> = { ...body };
  const native: Record<string, Json> = {};
  let bytes = 0;
  for (const key of layout.native) {
    if (!Object.hasOwn(text, key)) continue;
    const tally = { bytes: 0, isWhole: true };
    const copy = copyOf(text[key], DEEPEST, tally);
    if (copy === undefined) continue;
    native[key] = copy;
    bytes += tally.bytes;
    const left = layout.paths.filter((path) => rootOf(path) === key && leaveOut(native, path));
    if (tally.isWhole && left.length === 0) text[key] = null;
  }
  const beside = Object.entries(body).filter(([key]) => !layout.native.has(key));
  const fields = new Map<string, Exclude<Scalar, null>>();
  collect(beside, '', DEEPEST, fields);
  const json = JSON.stringify(text);
  return {
    document: { _id: id, version, body: json, ...native, fields },
    bytes: bytes + Buffer.byteLength(json),
  };
}

/** What JSON text would say of a value, as far as BSON holds it. */
function copyOf(value: unknown, deep: number, tally: { bytes: number; isWhole: boolean }): Json | undefined {
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
function leaveOut(native: Record<string, Json>, path: string): boolean {
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

function collect(
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

export function storedOf<Body>({ _id, version, body, ...native }: StoredDocument): Stored<Body> {
  const read = JSON.parse(body) as Record<string, unknown>;
  for (const [key, value] of Object.entries(native)) {
    if (Object.hasOwn(read, key) && read[key] === null) read[key] = value;
  }
  return { id: _id, version, body: read as Body };
}
