import { isJsonObject } from '../../../platform/json.ts';
import type { Scalar, Stored, Version } from '../port.ts';

/**
 * A document as MongoDB keeps it. The body is JSON text, so it is read back exactly as it was written: BSON has no
 * place for some keys and numbers that JSON has, and gives meaning to others (`$ref`, `_bsontype`). What an index can
 * be declared over stands beside it in `fields`: every scalar that a path reaches, whether an index asks for it today
 * or not, so that a new index serves the old documents, and those of processes that do not know of it.
 */
export interface StoredDocument {
  readonly _id: string;
  readonly version: Version;
  readonly body: string;
  /** Maps, because a key may be `__proto__` or `_bsontype`. */
  readonly fields: Fields;
}

export type Fields = ReadonlyMap<string, Exclude<Scalar, null> | Fields>;

/** What is read back. */
export const READ = { version: 1, body: 1 } as const;

/** The name of a path's field in queries and indexes. */
export function fieldOf(path: string): string {
  return `fields.${path}`;
}

/** As deep as a path goes (checks.ts). */
const DEEPEST = 20;
const KEY = /^[a-z0-9_]+$/i;
/** Longer text counts as missing in every index: it is prose, and would be kept twice. In bytes of UTF-8. */
const LONGEST = 1024;

export function fieldsOf(body: object, depth = 1): Fields {
  const fields = new Map<string, Exclude<Scalar, null> | Fields>();
  for (const [key, value] of Object.entries(body) as [string, unknown][]) {
    if (!KEY.test(key)) continue;
    if (isJsonObject(value)) {
      const inner = depth < DEEPEST ? fieldsOf(value, depth + 1) : new Map<string, never>();
      if (inner.size > 0) fields.set(key, inner);
    } else if (isIndexed(value)) {
      fields.set(key, value);
    }
  }
  return fields;
}

function isIndexed(value: unknown): value is Exclude<Scalar, null> {
  if (typeof value === 'string') return value.length <= LONGEST && Buffer.byteLength(value) <= LONGEST;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** The scalar that an index has for a body at a path. */
export function indexedAt(body: unknown, path: string): Scalar {
  let value = body;
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return null;
    value = value[key];
  }
  return isIndexed(value) ? value : null;
}

export function storedOf<Body>({ _id, version, body }: Omit<StoredDocument, 'fields'>): Stored<Body> {
  return { id: _id, version, body: JSON.parse(body) as Body };
}
