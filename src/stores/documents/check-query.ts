import { PermanentError } from '../../platform/errors.ts';
import { checkLimit } from './checks.ts';
import { type CheckedCondition, checkedConditions } from './check-query-conditions.ts';
import { checkPath } from './check-names.ts';
import type { CountQuery, Query } from './port.ts';

/** Queries as adapters take them: checked, and each condition of one form. */
export interface CheckedQuery {
  readonly conditions: readonly CheckedCondition[];
  /** What is left to order by, before the id: not what is the same in all documents, which an engine might sort by again. */
  readonly order: readonly OrderedPath[];
  /** The paths beside those of conditions: of the order, or of the groups. */
  readonly paths: readonly string[];
  /** The documents behind this id alone. */
  readonly after: string | null;
}

export interface OrderedPath {
  readonly path: string;
  readonly descending: boolean;
}

/** @throws {PermanentError} where the limit, a path or a value is none, or a page is to go on by more than the id. */
export function checkedFind({ where, order, limit, after }: Query): CheckedQuery {
  checkLimit(limit);
  const conditions = checkedConditions(where);
  const ordered = orderOf(order);
  if (after !== undefined && ordered.length > 0) {
    throw new PermanentError('A page goes on by id alone: leave the order out, or ask for one page.');
  }
  const equal = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return {
    conditions,
    order: ordered.filter(({ path }) => !equal.has(path)),
    paths: ordered.map(({ path }) => path),
    after: after ?? null,
  };
}

/** @throws {PermanentError} where a path or a value is none. */
export function checkedCount({ where, by }: CountQuery): CheckedQuery {
  by.forEach(checkPath);
  return { conditions: checkedConditions(where), order: [], paths: by, after: null };
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
