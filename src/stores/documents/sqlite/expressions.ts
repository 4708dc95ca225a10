import type { Scalar } from '../port.ts';

/** A piece of SQL with the values of its placeholders. */
export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number | null | Uint8Array)[];
}

/** The table of a collection, quoted. */
export function tableOf(collection: string): string {
  return `"d:${collection}"`;
}

/**
 * The value at a path, as conditions and indexes compare it. Booleans become blobs of one byte, because SQLite has no
 * others and 1 must not equal true; so numbers come before text, and text before booleans. What is no scalar is null.
 * An index is used only where a query repeats its expression literally: this function writes both.
 */
export function expressionOf(path: string): string {
  const at = placeOf(path);
  return (
    `CASE json_type(${at}) WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ` +
    `WHEN 'object' THEN NULL WHEN 'array' THEN NULL ELSE json_extract(${at}) END`
  );
}

/** Where a path is, as SQLite's functions of JSON take it. */
export function placeOf(path: string): string {
  const keys = path.split('.').map((key) => `."${key}"`);
  return `body, '$${keys.join('')}'`;
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
