import type { Scalar } from '../port.ts';

/** A piece of SQL with the values of its placeholders. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number | null | Uint8Array)[];
}

/** The table of a collection, quoted. */
export function tableOf(collection: string): string {
  return `"${nameOf(collection)}"`;
}

/** The same as it is looked up. */
export function nameOf(collection: string): string {
  return `d:${collection}`;
}

/** The column of the value at a path of an index, as conditions and indexes compare it; quoted. */
export function valueColumn(path: string): string {
  return `"v:${path}"`;
}

/**
 * What it is declared as: its value follows from the body, whoever writes that. Booleans become blobs of one byte, because SQLite
 * has no others and 1 must not equal true; so numbers come before text, and text before booleans. What is no scalar is null.
 */
export function valueColumnSql(path: string, keys: readonly string[]): string {
  const at = placeOf(path, keys);
  const value =
    `CASE json_type(${at}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
    `WHEN 'object' THEN NULL WHEN 'array' THEN NULL ELSE json_extract(${at}) END`;
  return `${valueColumn(path)} ANY GENERATED ALWAYS AS (${value})`;
}

/** The columns of a table whose names begin so: with `v:` those of values, with `k:` those that hold a key of the body. */
export const COLUMNS = 'SELECT substr(name, 3) FROM pragma_table_xinfo(?) WHERE name LIKE ?';

/** The column of a key that stands apart from the rest of the body, quoted. */
export function keyColumn(key: string): string {
  return `"k:${key}"`;
}

/** Where a path is, as SQLite's functions of JSON take it; `keys` have columns of their own. */
export function placeOf(path: string, keys: readonly string[]): string {
  const [key = '', ...inside] = path.split('.');
  const [column, rest] = keys.includes(key) ? [keyColumn(key), inside] : ['rest', [key, ...inside]];
  return `${column}, '$${rest.map((one) => `."${one}"`).join('')}'`;
}

const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(0);

export function bound(value: Scalar): string | number | null | Uint8Array {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

/** The scalar that a column of values has, as SQLite answers it. */
export function scalarOf(value: unknown): Scalar {
  if (value instanceof Uint8Array) return value[0] === 1;
  return typeof value === 'bigint' ? Number(value) : (value as Scalar);
}
