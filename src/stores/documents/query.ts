import { PermanentError } from '../../platform/errors.ts';
import { checkLimit } from './checks.ts';
import { checkPath } from './names.ts';
import { decodeCursor, isScalar, type Place } from './cursor.ts';
import type { Condition, CountQuery, Query, Range, Scalar } from './port.ts';

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
