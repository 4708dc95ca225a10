import { PermanentError } from '../../platform/errors.ts';
import { isScalar } from './checks.ts';
import { checkPath } from './check-names.ts';
import type { Condition, Query, Range, Scalar } from './port.ts';

/** What a path is compared with, in one form: checked, and never a list of one value. */
export type CheckedCondition = { readonly path: string } & (
  | { readonly kind: 'equal'; readonly value: Scalar }
  | { readonly kind: 'in'; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly type: 'string' | 'number'; readonly bounds: readonly Bound[] }
);

export interface Bound {
  readonly operator: 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: string | number;
}

export function checkedConditions(where: Query['where']): readonly CheckedCondition[] {
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
