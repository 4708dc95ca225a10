import type { Json } from '../platform/json.ts';

/** Rows as lines of a file. Both forms are written in UTF-8, a line feed after each record. */

/** One JSON object, the columns in their order. */
export function toNdjson(columns: readonly string[]): (row: readonly Json[]) => string {
  return (row) =>
    JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

/**
 * RFC 4180: a field is quoted where it has to be. Nothing stands for null, `""` for the empty text; lists and objects are
 * JSON.
 */
export function toCsv(row: readonly Json[]): string {
  return row.map(csvField).join(',');
}

function csvField(value: Json): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
