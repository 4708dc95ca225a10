import type { Bindable } from '../../../platform/sqlite-statements.ts';
import type { Condition, WordCondition } from '../ranking/condition.ts';
import { COLUMNS, type Tables } from './tables.ts';

/** A query for the numbers of entries, as `n`. */
export interface Numbers {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

/**
 * A condition as a query. What only asks for words is one expression of FTS5 (https://www.sqlite.org/fts5.html, section
 * 3): everything typed stands between quotes, so nothing of it is an operator. Pure.
 */
export function numbersOf(condition: Condition, tables: Tables): Numbers {
  const expression = expressionOf(condition);
  if (expression !== null) return matched(tables.words, expression);
  if ('kind' in condition)
    return { sql: `SELECT n FROM ${tables.entries} WHERE kind = ?`, values: [condition.kind] };
  if ('categories' in condition) {
    const sql = `SELECT n FROM ${tables.entries} WHERE category IN (SELECT value FROM json_each(?))`;
    return { sql, values: [JSON.stringify(condition.categories)] };
  }
  if ('inside' in condition) return matched(tables.trigrams, quoted(condition.inside));
  if ('all' in condition) return combined(condition.all, 'INTERSECT', tables);
  return 'any' in condition
    ? combined(condition.any, 'UNION', tables)
    : { sql: 'SELECT 0 AS n WHERE 0', values: [] };
}

function combined(parts: readonly Condition[], operator: string, tables: Tables): Numbers {
  const words = parts.filter((part) => expressionOf(part) !== null);
  const others = parts.filter((part) => expressionOf(part) === null);
  const joined = operator === 'UNION' ? { any: words } : { all: words };
  const each = [...(words.length > 0 ? [joined] : []), ...others].map((part) => numbersOf(part, tables));
  return {
    sql: each.map(({ sql }) => `SELECT n FROM (${sql})`).join(` ${operator} `),
    values: each.flatMap(({ values }) => values),
  };
}

function matched(table: string, expression: string): Numbers {
  return { sql: `SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ?`, values: [expression] };
}

/** Null where the condition asks for more than words. */
function expressionOf(condition: Condition): string | null {
  if ('word' in condition) return wordIn(condition);
  const [parts, operator] =
    'all' in condition ? [condition.all, ' AND '] : 'any' in condition ? [condition.any, ' OR '] : [[], ''];
  const expressions = parts.map(expressionOf);
  const known = [...new Set(expressions.filter((one) => one !== null))];
  return known.length === 0 || expressions.includes(null) ? null : `(${known.join(operator)})`;
}

function wordIn({ word, zone, form, begins }: WordCondition): string {
  return `(${COLUMNS[zone][form]} : ${quoted(word)}${begins ? '*' : ''})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
