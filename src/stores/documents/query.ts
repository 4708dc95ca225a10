import { checkLimit } from './checks.ts';
import { type CheckedCondition, conditionsOf } from './conditions.ts';
import { decodeCursor, type Place } from './cursor.ts';
import { checkPath } from './names.ts';
import type { CountQuery, Query } from './port.ts';

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

/** The paths of an order, or of an index, with their directions. @throws {PermanentError} where one is no path. */
export function orderOf(order: readonly string[]): readonly OrderedPath[] {
  return order.map((entry) => {
    const descending = entry.startsWith('-');
    const path = descending ? entry.slice(1) : entry;
    checkPath(path);
    return { path, descending };
  });
}
