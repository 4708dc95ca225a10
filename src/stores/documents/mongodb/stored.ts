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
  /** By path, with slashes in place of dots: side by side, an object is nothing to an index over its own path. */
  readonly fields: Fields;
}

/** A map, because a key may be `__proto__` or `_bsontype`. */
export type Fields = ReadonlyMap<string, Exclude<Scalar, null>>;

/** What is read back. */
export const READ = { version: 1, body: 1 } as const;

/** The name of a path's field in queries and indexes. */
export function fieldOf(path: string): string {
  return `${PREFIX}${path.replaceAll('.', '/')}`;
}

/** The path of such a field; null where the name is none. */
export function pathOf(field: string): string | null {
  return field.startsWith(PREFIX) ? field.slice(PREFIX.length).replaceAll('/', '.') : null;
}

const PREFIX = 'fields.';

/** As deep as a path goes (checks.ts). */
const DEEPEST = 20;
const KEY = /^[a-z0-9_]+$/i;
/** Longer text counts as missing in every index: it is prose, and would be kept twice. In bytes of UTF-8. */
const LONGEST = 1024;

export function fieldsOf(body: object): Fields {
  const fields = new Map<string, Exclude<Scalar, null>>();
  collect(body, '', DEEPEST, fields);
  return fields;
}

function collect(
  object: object,
  prefix: string,
  deep: number,
  fields: Map<string, Exclude<Scalar, null>>,
): void {
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    if (isIndexed(value)) {
      if (KEY.test(key)) fields.set(`${prefix}${key}`, value);
    } else if (isJsonObject(value) && deep > 1 && KEY.test(key)) {
      collect(value, `${prefix}${key}/`, deep - 1, fields);
    }
  }
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
