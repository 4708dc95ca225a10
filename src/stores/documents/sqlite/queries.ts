import type { Bound, CheckedCondition } from '../check-query-conditions.ts';
import type { Scalar } from '../port.ts';
import type { CheckedQuery } from '../check-query.ts';
import { bound, type Sql, valueColumn } from './columns.ts';

/** The SQL of `find` and of `count`. Paths are checked before, values are always bound. */

/** The ids of a page, in order. */
export function pageQuery(table: string, { conditions, after, order }: CheckedQuery): Sql {
  const { text, values } = whereSql(conditions, after);
  const terms = order.map(({ path, descending }) => `${valueColumn(path)} ${descending ? 'DESC' : 'ASC'}`);
  return { text: `SELECT id FROM ${table} ${text} ORDER BY ${[...terms, 'id'].join(', ')} LIMIT ?`, values };
}

/** How many documents meet the conditions, for each combination of values of the paths. */
export function countQuery(table: string, { conditions, paths }: CheckedQuery): Sql {
  const { text, values } = whereSql(conditions);
  const columns = paths.map(valueColumn);
  const groupBy = columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
  return {
    text: `SELECT ${['count(*)', ...columns].join(', ')} FROM ${table} ${text} ${groupBy}`,
    values,
  };
}

function whereSql(conditions: readonly CheckedCondition[], after: string | null = null): Sql {
  const all = conditions.map(conditionSql);
  if (after !== null) all.push({ text: 'id > ?', values: [after] });
  const text = all.length === 0 ? '' : `WHERE ${all.map((one) => one.text).join(' AND ')}`;
  return { text, values: all.flatMap(({ values }) => values) };
}

function conditionSql(condition: CheckedCondition): Sql {
  const column = valueColumn(condition.path);
  switch (condition.kind) {
    case 'equal':
      return condition.value === null
        ? { text: `${column} IS NULL`, values: [] }
        : { text: `${column} = ?`, values: [bound(condition.value)] };
    case 'in':
      return inSql(column, condition.values);
    case 'range':
      return rangeSql(column, condition.type, condition.bounds);
  }
}

/** One text for lists of any length, so that the statement is prepared once. */
function inSql(column: string, list: readonly Scalar[]): Sql {
  const values = [JSON.stringify(list.filter((value) => value !== null))];
  const some = `${column} IN (SELECT CASE type WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ELSE value END FROM json_each(?))`;
  return { text: list.includes(null) ? `(${some} OR ${column} IS NULL)` : some, values };
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** A range holds values of its own type alone; SQLite orders null, numbers, text, blobs. */
function rangeSql(column: string, type: 'string' | 'number', bounds: readonly Bound[]): Sql {
  const texts = bounds.map(({ operator }) => `${column} ${OPERATORS[operator]} ?`);
  const upper = bounds.some(({ operator }) => operator === 'lt' || operator === 'lte');
  const lower = bounds.some(({ operator }) => operator === 'gt' || operator === 'gte');
  if (!upper) texts.push(`${column} < ${type === 'number' ? "''" : "x''"}`);
  if (!lower && type === 'string') texts.push(`${column} >= ''`);
  return { text: texts.join(' AND '), values: bounds.map(({ value }) => value) };
}
