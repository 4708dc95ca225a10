import type { Document, Filter, Sort } from 'mongodb';

import type { Scalar } from '../port.ts';
import type { CheckedCondition, CheckedQuery, OrderedPath } from '../query.ts';
import type { DeclaredIndex } from './collections.ts';
import { fieldOf, type Layout, type StoredDocument } from './stored.ts';

/**
 * The filters of `find` and `count`. They keep to what MongoDB's manual states: a comparison holds for values of its
 * operand's own type alone (Comparison/Sort Order, "type bracketing"), `null` equals what is missing, and sorting puts
 * null and missing before numbers, text and booleans, text by its bytes where there is no collation.
 */

export type DocumentFilter = Filter<StoredDocument>;

/** One query of those that together give a page. */
export interface PageQuery {
  readonly filter: DocumentFilter;
  readonly sort: Sort;
}

/**
 * The queries that together, one after the other, give the documents behind a place, in order. Without a place it is
 * one query. Each is a plain conjunction that an index can seek: a disjunction would be sorted again, or merged.
 */
export function pageQueries(query: CheckedQuery, layout: Layout): readonly PageQuery[] {
  const where = query.conditions.map((condition) => conditionFilter(condition, layout));
  const equal = new Set(query.conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return segments(query, layout).map(({ filters, order }) => ({
    filter: all([...where, ...filters]),
    sort: sortOf(
      order.filter(({ path }) => !equal.has(path)),
      layout,
    ),
  }));
}

/** The id ends every order. */
export function sortOf(order: readonly OrderedPath[], layout: Layout): Record<string, 1 | -1> {
  const fields = order.map(({ path, descending }) => [fieldOf(path, layout), descending ? -1 : 1] as const);
  return Object.fromEntries([...fields, ['_id', 1]]);
}

/** The stages that count the documents of each combination of values; missing and null are one value. */
export function countPipeline({ conditions, paths }: CheckedQuery, layout: Layout): Document[] {
  const keys = paths.map((path, at) => [`k${at}`, { $ifNull: [`$${fieldOf(path, layout)}`, null] }] as const);
  const _id = paths.length === 0 ? null : Object.fromEntries(keys);
  const where = conditions.map((condition) => conditionFilter(condition, layout));
  return [{ $match: all(where) }, { $group: { _id, count: { $sum: 1 } } }];
}

/** The values of a group that `countPipeline` made. */
export function groupValues(_id: Readonly<Record<string, Scalar>> | null, by: readonly string[]): Scalar[] {
  return by.map((_, at) => _id?.[`k${at}`] ?? null);
}

/** A run of the documents behind a place, and what is left to order it by. */
interface Segment {
  readonly filters: readonly DocumentFilter[];
  readonly order: readonly OrderedPath[];
}

/** What lies behind a place, nearest first: the same values and a greater id, then the last path further on, ... */
function segments({ order, place }: CheckedQuery, layout: Layout): readonly Segment[] {
  if (!place) return [{ filters: [], order }];
  const same: DocumentFilter[] = [];
  const found: Segment[] = [];
  for (const [at, ordered] of order.entries()) {
    const field = fieldOf(ordered.path, layout);
    const value = place.values[at] ?? null;
    const rest = order.slice(at + 1);
    found.unshift(
      ...behind(ordered, value).map((condition) => ({
        filters: [...same, { [field]: condition }],
        order: condition === null ? rest : [ordered, ...rest],
      })),
    );
    same.push({ [field]: value });
  }
  return [{ filters: [...same, { _id: { $gt: place.id } }], order: [] }, ...found];
}

/** The types in their order, each with the least value that a comparison of its own finds. */
const LEAST = { number: Number.NEGATIVE_INFINITY, string: '', boolean: false } as const;
const TYPES = Object.keys(LEAST) as (keyof typeof LEAST)[];

/** The values behind one value: the rest of its own type, then the types that follow, each whole; nulls are the least. */
function behind({ descending }: OrderedPath, value: Scalar): readonly (Document | null)[] {
  const at = value === null ? -1 : TYPES.indexOf(typeof value as keyof typeof LEAST);
  const whole = (type: keyof typeof LEAST): Document => ({ $gte: LEAST[type] });
  if (!descending) {
    const later = TYPES.slice(at + 1).map(whole);
    return value === null ? later : [{ $gt: value }, ...later];
  }
  if (value === null) return [];
  return [{ $lt: value }, ...TYPES.slice(0, at).toReversed().map(whole), null];
}

function all(filters: readonly DocumentFilter[]): DocumentFilter {
  return filters.length === 0 ? {} : { $and: [...filters] };
}

function conditionFilter(condition: CheckedCondition, layout: Layout): DocumentFilter {
  return { [fieldOf(condition.path, layout)]: operandOf(condition) };
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
