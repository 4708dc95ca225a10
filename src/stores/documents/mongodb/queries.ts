import type { Document, Filter, Sort } from 'mongodb';

import type { CheckedCondition, OrderedPath } from '../conditions.ts';
import type { Place } from '../cursor.ts';
import type { Scalar } from '../port.ts';
import { fieldOf, type StoredDocument } from './stored.ts';

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
export function pageQueries(
  conditions: readonly CheckedCondition[],
  order: readonly OrderedPath[],
  after: Place | null,
): readonly PageQuery[] {
  const where = conditions.map(conditionFilter);
  const equal = new Set(conditions.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
  return segments(order, after).map((segment) => ({
    filter: all([...where, ...segment.filters]),
    sort: sortOf(segment.order.filter(({ path }) => !equal.has(path))),
  }));
}

/** The id ends every order. */
export function sortOf(order: readonly OrderedPath[]): Record<string, 1 | -1> {
  const fields = order.map(({ path, descending }) => [fieldOf(path), descending ? -1 : 1] as const);
  return Object.fromEntries([...fields, ['_id', 1]]);
}

/** The stages that count the documents of each combination of values; missing and null are one value. */
export function countPipeline(conditions: readonly CheckedCondition[], by: readonly string[]): Document[] {
  const keys = by.map((path, at) => [`k${at}`, { $ifNull: [`$${fieldOf(path)}`, null] }] as const);
  const _id = by.length === 0 ? null : Object.fromEntries(keys);
  return [{ $match: all(conditions.map(conditionFilter)) }, { $group: { _id, count: { $sum: 1 } } }];
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
function segments(order: readonly OrderedPath[], after: Place | null): readonly Segment[] {
  if (!after) return [{ filters: [], order }];
  const same: DocumentFilter[] = [];
  const found: Segment[] = [];
  for (const [at, ordered] of order.entries()) {
    const value = after.values[at] ?? null;
    const rest = order.slice(at + 1);
    found.unshift(
      ...behind(ordered, value).map((condition) => ({
        filters: [...same, { [fieldOf(ordered.path)]: condition }],
        order: condition === null ? rest : [ordered, ...rest],
      })),
    );
    same.push({ [fieldOf(ordered.path)]: value });
  }
  return [{ filters: [...same, { _id: { $gt: after.id } }], order: [] }, ...found];
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

function conditionFilter(condition: CheckedCondition): DocumentFilter {
  return { [fieldOf(condition.path)]: operandOf(condition) };
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
