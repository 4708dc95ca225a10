import type { Json } from '../platform/json-value.ts';

/** Rows as lines of a file. Both forms are written in UTF-8, a line feed after each record. */

/** One JSON object, the columns in their order. */
export function toNdjson(columns: readonly string[]): (row: readonly Json[]) => string {
  return (row) =>
    JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
}

/** `guarded`: a text that a spreadsheet would compute begins with an apostrophe. `raw`: every text as it is. */
type Cells = 'guarded' | 'raw';

/**
 * RFC 4180: a field is quoted where it has to be. Nothing stands for null, `""` for the empty text; lists and objects are
 * JSON.
 */
export function toCsv(row: readonly Json[], cells: Cells): string {
  return row.map((value) => csvField(value, cells)).join(',');
}

function csvField(value: Json, cells: Cells): string {
  if (value === null) return '';
  const whole = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const text = cells === 'guarded' && FORMULA.test(whole) && !NUMBER.test(whole) ? `'${whole}` : whole;
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** How a cell begins that a spreadsheet takes for a formula (OWASP, CSV injection); in full width for those of the East. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
