import type { Document } from 'mongodb';

import type { Scalar } from '../port.ts';
import type { CheckedQuery, OrderedPath } from '../query.ts';
import type { DocumentFilter } from './filters.ts';

/** A run of the documents behind a place, and what is left to order it by. */
interface Segment {
  readonly filters: readonly DocumentFilter[];
  readonly order: readonly OrderedPath[];
}

/** What lies behind a place, nearest first: the same values and a greater id, then the last path further on, ... */
export function segments({ order, place }: CheckedQuery): readonly Segment[] {
  if (!place) return [{ filters: [], order }];
  const same: DocumentFilter[] = [];
  const found: Segment[] = [];
  for (const [at, ordered] of order.entries()) {
    const { path } = ordered;
    const value = place.values[at] ?? null;
    const rest = order.slice(at + 1);
    found.unshift(
      ...behind(ordered, value).map((condition) => ({
        filters: [...same, { [path]: condition }],
        order: condition === null ? rest : [ordered, ...rest],
      })),
    );
    same.push({ [path]: value });
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
