import { type Json, valueAt } from '../platform/json-value.ts';
import { parseInstant } from '../platform/time/instant.ts';

/** `time` is an instant, `day` a UTC day, `texts` a list of texts, `json` any JSON value. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'day' | 'texts' | 'json';

/** Of what analysts read. It has one type, and whatever does not fit it is shown as nothing. */
export interface Column {
  readonly type: ColumnType;
  /** For people, in a sentence; Markdown. */
  readonly meaning: string;
  /** Where the value stands in what a row is made of: keys joined with dots. Default: under the column's own name. */
  readonly path?: string;
}

export type Columns = Readonly<Record<string, Column>>;

/** Makes the row of an item: the values in the order of the columns. */
export function rowOf(columns: Columns): (item: object) => readonly Json[] {
  const all = Object.entries(columns);
  return (item) => all.map(([name, { type, path = name }]) => fit(type, at(item, path)));
}

/** What stands in a value under keys joined with dots; undefined where nothing does. */
export function at(whole: unknown, path: string): unknown {
  return valueAt(whole, path.split('.'));
}

/**
 * The value where it fits the column, else null: an instant is RFC 3339 in UTC with milliseconds, a day `YYYY-MM-DD`. Builds of other versions are shown too, and their documents may be of
 * another form: a column that they do not have is empty there.
 */
export function fit(type: ColumnType, value: unknown): Json {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : null;
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'time':
      return typeof value === 'string' ? parseInstant(value) : null;
    case 'day':
      return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;
    case 'texts':
      return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null;
    case 'json':
      return value as Json;
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;
