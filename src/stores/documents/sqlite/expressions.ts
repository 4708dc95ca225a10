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

/**
 * The value at a path, as conditions and indexes compare it. Booleans become blobs of one byte, because SQLite has no
 * others and 1 must not equal true; so numbers come before text, and text before booleans. What is no scalar is null.
 * An index is used only where a query repeats its expression literally: this function writes both.
 */
function scalarAt(at: string): string {
  return (
    `CASE json_type(${at}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
    `WHEN 'object' THEN NULL WHEN 'array' THEN NULL ELSE json_extract(${at}) END`
  );
}

/** How the value at a path is written in SQL. */
export type Expressions = (path: string) => string;

/** Of a table that keeps the values at these paths, and these keys, in columns of their own. */
export function expressionsOf(kept: ReadonlySet<string>, keys: readonly string[]): Expressions {
  return (path) => (kept.has(columnOf(path)) ? `"${columnOf(path)}"` : scalarAt(placeOf(path, keys)));
}

/** The column that keeps the value at a path. */
function columnOf(path: string): string {
  return `v:${path}`;
}

/** What a column is declared as: its value follows from the body, whoever writes that. */
export function keptColumn(path: string, keys: readonly string[]): string {
  return `"${columnOf(path)}" ANY GENERATED ALWAYS AS (${scalarAt(placeOf(path, keys))}) STORED`;
}

/** The columns of a table that keep values. */
export const KEPT = 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 3';

/** The columns of a table that hold a key of the body. */
export const KEYS = "SELECT name FROM pragma_table_xinfo(?) WHERE name LIKE 'k:%'";

/** The column of a key that stands apart from the rest of the body, quoted. */
export function keyColumn(key: string): string {
  return `"k:${key}"`;
}

export function keyOf(column: string): string {
  return column.slice('k:'.length);
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

/** The scalar of a value that `expressionOf` made, as SQLite answers it. */
export function scalarOf(value: unknown): Scalar {
  if (value instanceof Uint8Array) return value[0] === 1;
  return typeof value === 'bigint' ? Number(value) : (value as Scalar);
}
