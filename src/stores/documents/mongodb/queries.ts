import type { Document, Sort } from 'mongodb';

import type { Scalar } from '../port.ts';
import type { CheckedQuery, OrderedPath } from '../query.ts';
import { all, conditionFilter, type DocumentFilter } from './filters.ts';
import type { DeclaredIndex } from './found-indexes.ts';
import { segments } from './segments.ts';

/**
 * The queries of `find` and `count`. They keep to what MongoDB's manual states: a comparison holds for values of its
 * operand's own type alone (Comparison/Sort Order, "type bracketing"), `null` equals what is missing, and sorting puts
 * null and missing before numbers, text and booleans, text by its bytes where there is no collation.
 */

/** One query of those that together give a page. */
export interface PageQuery {
  readonly filter: DocumentFilter;
  readonly sort: Sort;
}

/**
 * The queries that together, one after the other, give the documents behind a place, in order. Without a place it is
 * one query. Each is a plain conjunction that an index can seek: a disjunction would be sorted again, or merged.
 */
export function pageQueries(query: CheckedQuery): readonly PageQuery[] {
  const where = query.conditions.map(conditionFilter);
  const equal = new Set(query.conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return segments(query).map(({ filters, order }) => ({
    filter: all([...where, ...filters]),
    sort: sortOf(order.filter(({ path }) => !equal.has(path))),
  }));
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
  const where = conditions.map(conditionFilter);
  return [{ $match: all(where) }, { $group: { _id, count: { $sum: 1 } } }];
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
