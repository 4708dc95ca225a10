import type { Row } from '../../../platform/sqlite-statements.ts';

/** A body as a file keeps it: keys that stand in columns of their own, and the text of the rest, in which these are null. */
export interface TakenApart {
  readonly rest: string;
  /** In the order of the keys; null where JSON has no word for one: then the body does not have it. */
  readonly values: readonly (string | null)[];
}

export function takeApart(body: Values, keys: readonly string[]): TakenApart {
  const rest: Record<string, unknown> = { ...body };
  // Each keeps its place among the others.
  for (const key of keys) if (Object.hasOwn(rest, key)) rest[key] = null;
  return { rest: JSON.stringify(rest), values: keys.map((key) => textOf(body[key])) };
}

export function putTogether(rest: string, keys: readonly string[], values: Row): unknown {
  const body = JSON.parse(rest) as Record<string, unknown>;
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (typeof value === 'string') body[key] = JSON.parse(value);
    else if (Object.hasOwn(body, key)) delete body[key];
  }
  return body;
}

/** The same of these keys alone. */
export function partOf(keys: readonly string[], values: Row): unknown {
  const part: Record<string, unknown> = {};
  for (const [index, key] of keys.entries()) {
    const value = values[index];
    if (typeof value === 'string') part[key] = JSON.parse(value);
  }
  return part;
}

export type Values = Readonly<Record<string, unknown>>;

export function textOf(value: unknown): string | null {
  const text: string | undefined = JSON.stringify(value);
  return text ?? null;
}

/** A list of placeholders for the values of these columns. */
export function placeholders(columns: readonly string[]): string {
  return columns.map(() => '?').join(', ');
}

/** Gives each of these columns the value of a placeholder. */
export function settings(columns: readonly string[]): string {
  return columns.map((column) => `${column} = ?`).join(', ');
}
