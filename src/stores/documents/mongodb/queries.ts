import type { Document, Filter, Sort } from 'mongodb';

import type { CheckedCondition } from '../check-query-conditions.ts';
import type { Scalar } from '../port.ts';
import type { CheckedQuery, OrderedPath } from '../check-query.ts';
import type { DeclaredIndex } from './found-indexes.ts';
import type { StoredDocument } from './stored-document.ts';

/**
 * The queries of `find` and `count`. They keep to what MongoDB's manual states: a comparison holds for values of its
 * operand's own type alone (Comparison/Sort Order, "type bracketing"), `null` equals what is missing, and sorting puts
 * null and missing before numbers, text and booleans, text by its bytes where there is no collation.
 */

/** What a page is of. */
export interface PageQuery {
  readonly filter: Filter<StoredDocument>;
  readonly sort: Sort;
}

export function pageQuery({ conditions, after, order }: CheckedQuery): PageQuery {
  return { filter: filterOf(conditions, after), sort: sortOf(order) };
}

function filterOf(conditions: readonly CheckedCondition[], after: string | null = null) {
  const filters = conditions.map((one): Filter<StoredDocument> => ({ [one.path]: operandOf(one) }));
  if (after !== null) filters.push({ _id: { $gt: after } });
  return filters.length === 0 ? {} : { $and: filters };
}

function operandOf(condition: CheckedCondition): Document {
  switch (condition.kind) {
    case 'equal':
      return { $eq: condition.value };
    case 'in':
      return { $in: condition.values };
    case 'range':
      return Object.fromEntries(condition.bounds.map(({ operator, value }) => [`$${operator}`, value]));
  }
}

/** The id ends every order. */
export function sortOf(order: readonly OrderedPath[]): Record<string, 1 | -1> {
  const fields = order.map(({ path, descending }) => [path, descending ? -1 : 1] as const);
  return Object.fromEntries([...fields, ['_id', 1]]);
}

/** The stages that count the documents of each combination of values; missing and null are one value. */
export function countPipeline({ conditions, paths }: CheckedQuery): Document[] {
  const keys = paths.map((path, at) => [`k${at}`, { $ifNull: [`$${path}`, null] }] as const);
  const _id = paths.length === 0 ? null : Object.fromEntries(keys);
  return [{ $match: filterOf(conditions) }, { $group: { _id, count: { $sum: 1 } } }];
}

/** The values of a group that `countPipeline` made. */
export function groupValues(_id: Readonly<Record<string, Scalar>> | null, by: readonly string[]): Scalar[] {
  return by.map((_, at) => _id?.[`k${at}`] ?? null);
}

/** The index of every collection, over the ids. */
export const ID_INDEX = '_id_';

/** The name of the index to go through: one that has the order, if there is one, and of those the shortest. */
export function hintOf(serving: readonly DeclaredIndex[], order: readonly OrderedPath[]): string {
  const ordered = order.map(({ path, descending }) => `${descending ? '-' : ''}${path}`).join(',');
  const isSorted = ({ paths }: DeclaredIndex): boolean => paths.join(',').endsWith(ordered);
  const [best] = serving.toSorted(
    (a, b) => Number(isSorted(b)) - Number(isSorted(a)) || a.paths.length - b.paths.length,
  );
  return best?.name ?? ID_INDEX;
}
