import { PermanentError } from '../../platform/errors.ts';
import { checkPath } from './checks.ts';
import type { Condition, Query, Range, Scalar } from './port.ts';

/** Conditions and orders as adapters take them: checked, and each of one form. */

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

/** @throws {PermanentError} where a path or a value is none, or a range has no bounds or bounds of two types. */
export function conditionsOf(where: Query['where']): readonly CheckedCondition[] {
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

function isScalar(condition: Condition): condition is Scalar {
  return condition === null || typeof condition !== 'object';
}

function finite<Value extends Scalar>(path: string, value: Value): Value {
  const known = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (known && (typeof value !== 'number' || Number.isFinite(value))) return value;
  throw new PermanentError(`${path} is compared with ${String(value)}, which is no JSON value.`);
}

/** The paths of an order with their directions. @throws {PermanentError} where one is no path. */
export function orderOf(order: readonly string[]): readonly OrderedPath[] {
  return order.map((entry) => {
    const descending = entry.startsWith('-');
    const path = descending ? entry.slice(1) : entry;
    checkPath(path);
    return { path, descending };
  });
}
