import type { Scalar } from '../port.ts';
import type { Bound, CheckedCondition } from '../conditions.ts';
import { bound, type Expressions, type Sql } from './expressions.ts';

export function all(conditions: readonly Sql[]): Sql {
  const text = conditions.length === 0 ? '' : `WHERE ${conditions.map((one) => one.text).join(' AND ')}`;
  return { text, values: conditions.flatMap(({ values }) => values) };
}

export function conditionSql(condition: CheckedCondition, expressions: Expressions): Sql {
  const expression = expressions(condition.path);
  if (condition.kind === 'range') return rangeSql(expression, condition.type, condition.bounds);
  return condition.kind === 'in'
    ? inSql(expression, condition.values)
    : equalSql(expression, condition.value);
}

export function equalSql(expression: string, value: Scalar): Sql {
  return value === null
    ? { text: `${expression} IS NULL`, values: [] }
    : { text: `${expression} = ?`, values: [bound(value)] };
}

/** One text for lists of any length, so that the statement is prepared once. */
function inSql(expression: string, list: readonly Scalar[]): Sql {
  const values = [JSON.stringify(list.filter((value) => value !== null))];
  const some = `${expression} IN (SELECT CASE type WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ELSE value END FROM json_each(?))`;
  return { text: list.includes(null) ? `(${some} OR ${expression} IS NULL)` : some, values };
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** A range holds values of its own type alone; SQLite orders null, numbers, text, blobs. */
function rangeSql(expression: string, type: 'string' | 'number', bounds: readonly Bound[]): Sql {
  const texts = bounds.map(({ operator }) => `${expression} ${OPERATORS[operator]} ?`);
  const upper = bounds.some(({ operator }) => operator === 'lt' || operator === 'lte');
  const lower = bounds.some(({ operator }) => operator === 'gt' || operator === 'gte');
  if (!upper) texts.push(`${expression} < ${type === 'number' ? "''" : "x''"}`);
  if (!lower && type === 'string') texts.push(`${expression} >= ''`);
  return { text: texts.join(' AND '), values: bounds.map(({ value }) => value) };
}
