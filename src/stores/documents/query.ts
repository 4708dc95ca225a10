import { PermanentError } from '../../platform/errors.ts';
import { checkLimit, checkPath } from './checks.ts';
import type { Condition, CountQuery, Cursor, Index, Query, Range, Scalar } from './port.ts';

/** Queries as adapters take them: checked, each condition of one form, served by an index and paged by cursors. */
export interface CheckedQuery {
  readonly conditions: readonly CheckedCondition[];
  /** What the documents are ordered by; nothing where they are counted. */
  readonly order: readonly OrderedPath[];
  /** The paths beside those of conditions: of the order, or of the groups. */
  readonly paths: readonly string[];
  /** Where the page before this one has ended. */
  readonly place: Place | null;
}

export type CheckedCondition = { readonly path: string } & (
  | { readonly kind: 'equal'; readonly value: Scalar }
  | { readonly kind: 'in'; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly type: 'string' | 'number'; readonly bounds: readonly Bound[] }
);

export interface Bound {
  readonly operator: 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: string | number;
}

export interface OrderedPath {
  readonly path: string;
  readonly descending: boolean;
}

/** Where a page ended: the last document's values of the order's paths, and its id. */
export interface Place {
  readonly values: readonly Scalar[];
  readonly id: string;
}

/** @throws {PermanentError} where the limit, a path, a value or the cursor is none. */
export function checkedFind({ where, order, limit, after }: Query): CheckedQuery {
  checkLimit(limit);
  const ordered = orderOf(order);
  return {
    conditions: conditionsOf(where),
    order: ordered,
    paths: ordered.map(({ path }) => path),
    place: after === undefined ? null : decodeCursor(order, after),
  };
}

/** @throws {PermanentError} where a path or a value is none. */
export function checkedCount({ where, by }: CountQuery): CheckedQuery {
  by.forEach(checkPath);
  return { conditions: conditionsOf(where), order: [], paths: by, place: null };
}

function conditionsOf(where: Query['where']): readonly CheckedCondition[] {
  return Object.entries(where).map(([path, condition]) => conditionOf(path, condition));
}

function conditionOf(path: string, condition: Condition): CheckedCondition {
  checkPath(path);
  if (isScalar(condition)) return { path, kind: 'equal', value: finite(path, condition) };
  if ('in' in condition) {
    const values = [...new Set(condition.in.map((value) => finite(path, value)))];
    const [only] = values;
    // One value leaves the order that an index has; a list of one would be sorted again.
    return values.length === 1 && only !== undefined
      ? { path, kind: 'equal', value: only }
      : { path, kind: 'in', values };
  }
  return { path, kind: 'range', ...rangeOf(path, condition) };
}

const OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;

function rangeOf(path: string, range: Range): { type: 'string' | 'number'; bounds: readonly Bound[] } {
  const bounds = OPERATORS.flatMap((operator) => {
    const value = range[operator];
    return value === undefined ? [] : [{ operator, value: finite(path, value) }];
  });
  const types = new Set(bounds.map(({ value }) => typeof value));
  const [type] = types;
  if (types.size !== 1 || (type !== 'string' && type !== 'number')) {
    throw new PermanentError(`The range of ${path} needs bounds, all numbers or all text.`);
  }
  return { type, bounds };
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function finite<Value extends Scalar>(path: string, value: Value): Value {
  if (isScalar(value) && (typeof value !== 'number' || Number.isFinite(value))) return value;
  throw new PermanentError(`${path} is compared with ${String(value)}, which is no JSON value.`);
}

/** The paths of an order, or of an index, with their directions. @throws {PermanentError} where one is no path. */
export function orderOf(order: readonly string[]): readonly OrderedPath[] {
  return order.map((entry) => {
    const descending = entry.startsWith('-');
    const path = descending ? entry.slice(1) : entry;
    checkPath(path);
    return { path, descending };
  });
}

/**
 * The declared indexes that serve a query. One that none serves is refused, so that a missing index is found by the
 * first test and not by the first large collection.
 *
 * An index serves a query where its first paths are those compared for equality or `in`, in any order among
 * themselves, and the next ones are the other paths of the query (ranges, order, groups), in any order among
 * themselves. Directions do not matter; further paths of the index do not either. Nothing asked for needs no index.
 * @throws {PermanentError} naming the index that is missing.
 */
export function servingIndexes<Declared extends { readonly paths: Index }>(
  collection: string,
  indexes: readonly Declared[],
  { conditions, paths }: CheckedQuery,
): readonly Declared[] {
  const first = new Set(conditions.filter(({ kind }) => kind !== 'range').map(({ path }) => path));
  const ranges = conditions.filter(({ kind }) => kind === 'range').map(({ path }) => path);
  const next = new Set([...ranges, ...paths].filter((path) => !first.has(path)));
  if (first.size + next.size === 0) return [];
  const serving = indexes.filter((index) => {
    const all = index.paths.map((path) => path.replace(/^-/, ''));
    return startsWith(all, first) && startsWith(all.slice(first.size), next);
  });
  if (serving.length > 0) return serving;
  throw new PermanentError(
    `${collection} declares no index over [${[...first, ...next].join(', ')}]. Declare one, or ask for less.`,
  );
}

function startsWith(paths: readonly string[], wanted: ReadonlySet<string>): boolean {
  const start = new Set(paths.slice(0, wanted.size));
  return start.size === wanted.size && [...wanted].every((path) => start.has(path));
}

/** The cursor of a place: base64url of a JSON list. It carries the order, which it belongs to. */
export function encodeCursor(order: Query['order'], { values, id }: Place): Cursor {
  return Buffer.from(JSON.stringify([order, values, id])).toString('base64url');
}

/** @throws {PermanentError} where the text is no cursor, or one of another order. */
function decodeCursor(order: Query['order'], cursor: Cursor): Place {
  const [itsOrder, values, id, ...rest] = listIn(cursor);
  const fits =
    JSON.stringify(itsOrder) === JSON.stringify(order) &&
    Array.isArray(values) &&
    values.length === order.length &&
    values.every(isScalar) &&
    typeof id === 'string' &&
    rest.length === 0;
  if (!fits) throw new PermanentError('The cursor belongs to no page of this query.');
  return { values, id };
}

function listIn(cursor: Cursor): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (cause) {
    throw new PermanentError('The cursor is damaged.', { cause });
  }
}
