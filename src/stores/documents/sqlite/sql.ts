import type { Scalar } from '../port.ts';
import type { CheckedQuery, OrderedPath } from '../query.ts';
import { all, conditionSql, equalSql } from './conditions.ts';
import { bound, type Expressions, type Sql } from './expressions.ts';

/** The SQL of `find` and of `count`. Paths are checked before, values are always bound. */

/**
 * The queries that together, one after the other, give the ids (and the order's values) behind a place, in order.
 * Without a place it is one query. Each is a plain conjunction that a declared index can seek; the one disjunction
 * "equal so far and then greater, or greater before" would be scanned from the start for every page.
 */
export function pageQueries(table: string, query: CheckedQuery, expressions: Expressions): readonly Sql[] {
  const columns = query.paths.map((path) => `, ${expressions(path)}`);
  const where = query.conditions.map((condition) => conditionSql(condition, expressions));
  const equal = new Set(query.conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return segments(query, expressions).map((segment) => {
    const { text, values } = all([...where, ...segment.conditions]);
    // SQLite does not see that an expression is constant, and would sort by it again.
    const orderBy = segment.order
      .filter(({ path }) => !equal.has(path))
      .map(({ path, descending }) => `${expressions(path)} ${descending ? 'DESC' : 'ASC'}, `);
    return {
      text: `SELECT id${columns.join('')} FROM ${table} ${text} ORDER BY ${orderBy.join('')}id LIMIT ?`,
      values,
    };
  });
}

/** A run of the documents behind a place, and what is left to order it by. */
interface Segment {
  readonly conditions: readonly Sql[];
  readonly order: readonly OrderedPath[];
}

/** What lies behind a place, nearest first: the same values and a greater id, then the last path further on, ... */
function segments({ order, place }: CheckedQuery, expressions: Expressions): readonly Segment[] {
  if (!place) return [{ conditions: [], order }];
  const same: Sql[] = [];
  const found: Segment[] = [];
  for (const [at, ordered] of order.entries()) {
    const value = place.values[at] ?? null;
    const expression = expressions(ordered.path);
    found.unshift(...segmentsBehind(same, { ...ordered, expression }, value, order.slice(at + 1)));
    same.push(equalSql(expression, value));
  }
  return [{ conditions: [...same, { text: 'id > ?', values: [place.id] }], order: [] }, ...found];
}

/** Nulls are first in ascending order and last in descending order; a comparison with a value never meets them. */
function segmentsBehind(
  same: readonly Sql[],
  { expression, ...ordered }: OrderedPath & { readonly expression: string },
  value: Scalar,
  rest: readonly OrderedPath[],
): readonly Segment[] {
  const values = (text: string, ...bindings: Sql['values']): Segment => ({
    conditions: [...same, { text: `${expression} ${text}`, values: bindings }],
    order: [ordered, ...rest],
  });
  const nulls = { conditions: [...same, equalSql(expression, null)], order: rest };
  if (value === null) return ordered.descending ? [] : [values('IS NOT NULL')];
  return ordered.descending ? [values('< ?', bound(value)), nulls] : [values('> ?', bound(value))];
}

/** How many documents meet the conditions, for each combination of values of the paths. */
export function countQuery(
  table: string,
  { conditions, paths }: CheckedQuery,
  expressions: Expressions,
): Sql {
  const { text, values } = all(conditions.map((condition) => conditionSql(condition, expressions)));
  const columns = paths.map(expressions);
  const groupBy = columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
  return {
    text: `SELECT ${['count(*)', ...columns].join(', ')} FROM ${table} ${text} ${groupBy}`,
    values,
  };
}
