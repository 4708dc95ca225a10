import type { CollectionSpec, Scalar, Table } from '../port.ts';
import type { Bound, CheckedCondition, CheckedQuery, OrderedPath } from '../query.ts';

/** The SQL of declared indexes, of `find` and of `count`. Paths are checked before, values are always bound. */

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
function placeOf(path: string): string {
  const keys = path.split('.').map((key) => `."${key}"`);
  return `body, '$${keys.join('')}'`;
}

const TRUE = Uint8Array.of(1);
const FALSE = Uint8Array.of(0);

function bound(value: Scalar): string | number | null | Uint8Array {
  return typeof value === 'boolean' ? (value ? TRUE : FALSE) : value;
}

/** The scalar of a value that `expressionOf` made, as SQLite answers it. */
export function scalarOf(value: unknown): Scalar {
  if (value instanceof Uint8Array) return value[0] === 1;
  return typeof value === 'bigint' ? Number(value) : (value as Scalar);
}

/** The statement that makes an index: its paths, then the id, which ends every order. */
export function indexSql(collection: string, name: string, paths: readonly OrderedPath[]): string {
  const columns = paths.map(({ path, descending }) => `${expressionOf(path)}${descending ? ' DESC' : ''}`);
  return `CREATE INDEX "${name}" ON ${tableOf(collection)} (${columns.join(', ')}, id)`;
}

/**
 * The statement that makes the table for people: a view of SQLite, which nobody can write to. Values are as JSON has
 * them, booleans 1 and 0; what is native stands whole in a column of its own, as JSON text.
 */
export function viewSql({ name, native = [] }: CollectionSpec, table: Table): string {
  const named = Object.entries(table.columns).map(([column, paths]) => {
    const values = [paths].flat().map((path) => `json_extract(${placeOf(path)})`);
    return `${values.length > 1 ? `coalesce(${values.join(', ')})` : values.join('')} AS "${column}"`;
  });
  const whole = native.map((key) => `json_extract(${placeOf(key)}) AS "${key}"`);
  const columns = [`id AS "${table.id}"`, ...named, ...whole].join(', ');
  return `CREATE VIEW "${table.name}" AS SELECT ${columns} FROM ${tableOf(name)}`;
}

/**
 * The queries that together, one after the other, give the ids (and the order's values) behind a place, in order.
 * Without a place it is one query. Each is a plain conjunction that a declared index can seek; the one disjunction
 * "equal so far and then greater, or greater before" would be scanned from the start for every page.
 */
export function pageQueries(collection: string, query: CheckedQuery): readonly Sql[] {
  const columns = query.paths.map((path) => `, ${expressionOf(path)}`);
  const where = query.conditions.map(conditionSql);
  const equal = new Set(query.conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return segments(query).map((segment) => {
    const { text, values } = all([...where, ...segment.conditions]);
    // SQLite does not see that an expression is constant, and would sort by it again.
    const orderBy = segment.order
      .filter(({ path }) => !equal.has(path))
      .map(({ path, descending }) => `${expressionOf(path)} ${descending ? 'DESC' : 'ASC'}, `);
    return {
      text: `SELECT id${columns.join('')} FROM ${tableOf(collection)} ${text} ORDER BY ${orderBy.join('')}id LIMIT ?`,
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
function segments({ order, place }: CheckedQuery): readonly Segment[] {
  if (!place) return [{ conditions: [], order }];
  const same: Sql[] = [];
  const found: Segment[] = [];
  for (const [at, ordered] of order.entries()) {
    const value = place.values[at] ?? null;
    found.unshift(...segmentsBehind(same, ordered, value, order.slice(at + 1)));
    same.push(equalSql(ordered.path, value));
  }
  return [{ conditions: [...same, { text: 'id > ?', values: [place.id] }], order: [] }, ...found];
}

/** Nulls are first in ascending order and last in descending order; a comparison with a value never meets them. */
function segmentsBehind(
  same: readonly Sql[],
  ordered: OrderedPath,
  value: Scalar,
  rest: readonly OrderedPath[],
): readonly Segment[] {
  const expression = expressionOf(ordered.path);
  const values = (text: string, ...bindings: Sql['values']): Segment => ({
    conditions: [...same, { text: `${expression} ${text}`, values: bindings }],
    order: [ordered, ...rest],
  });
  const nulls = { conditions: [...same, equalSql(ordered.path, null)], order: rest };
  if (value === null) return ordered.descending ? [] : [values('IS NOT NULL')];
  return ordered.descending ? [values('< ?', bound(value)), nulls] : [values('> ?', bound(value))];
}

/** How many documents meet the conditions, for each combination of values of the paths. */
export function countQuery(collection: string, { conditions, paths }: CheckedQuery): Sql {
  const { text, values } = all(conditions.map(conditionSql));
  const columns = paths.map(expressionOf);
  const groupBy = columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
  return {
    text: `SELECT ${['count(*)', ...columns].join(', ')} FROM ${tableOf(collection)} ${text} ${groupBy}`,
    values,
  };
}

function all(conditions: readonly Sql[]): Sql {
  const text = conditions.length === 0 ? '' : `WHERE ${conditions.map((one) => one.text).join(' AND ')}`;
  return { text, values: conditions.flatMap(({ values }) => values) };
}

function conditionSql(condition: CheckedCondition): Sql {
  if (condition.kind === 'range') return rangeSql(condition.path, condition.type, condition.bounds);
  return condition.kind === 'in'
    ? inSql(condition.path, condition.values)
    : equalSql(condition.path, condition.value);
}

function equalSql(path: string, value: Scalar): Sql {
  return value === null
    ? { text: `${expressionOf(path)} IS NULL`, values: [] }
    : { text: `${expressionOf(path)} = ?`, values: [bound(value)] };
}

/** One text for lists of any length, so that the statement is prepared once. */
function inSql(path: string, list: readonly Scalar[]): Sql {
  const expression = expressionOf(path);
  const values = [JSON.stringify(list.filter((value) => value !== null))];
  const some = `${expression} IN (SELECT CASE type WHEN 'true' THEN x'01' WHEN 'false' THEN x'00' ELSE value END FROM json_each(?))`;
  return { text: list.includes(null) ? `(${some} OR ${expression} IS NULL)` : some, values };
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** A range holds values of its own type alone; SQLite orders null, numbers, text, blobs. */
function rangeSql(path: string, type: 'string' | 'number', bounds: readonly Bound[]): Sql {
  const expression = expressionOf(path);
  const texts = bounds.map(({ operator }) => `${expression} ${OPERATORS[operator]} ?`);
  const upper = bounds.some(({ operator }) => operator === 'lt' || operator === 'lte');
  const lower = bounds.some(({ operator }) => operator === 'gt' || operator === 'gte');
  if (!upper) texts.push(`${expression} < ${type === 'number' ? "''" : "x''"}`);
  if (!lower && type === 'string') texts.push(`${expression} >= ''`);
  return { text: texts.join(' AND '), values: bounds.map(({ value }) => value) };
}
