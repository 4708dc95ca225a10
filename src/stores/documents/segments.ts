import type { Bound, CheckedCondition } from './conditions.ts';
import type { Scalar } from './port.ts';
import type { CheckedQuery, OrderedPath } from './query.ts';

/** A run of the documents of a page: a plain conjunction, which an index can seek. */
export interface Segment {
  readonly conditions: readonly CheckedCondition[];
  /** The documents behind this id alone; null where all are meant. */
  readonly afterId: string | null;
  /** What is left to order them by, before the id: not what is the same in all of them, which an engine might sort by again. */
  readonly order: readonly OrderedPath[];
}

/**
 * The runs that together, one after the other, are the documents behind a place, in order: the same values and a greater id, then
 * the last path further on, ... Without a place it is one. As one disjunction they would be sorted again, or scanned from the start
 * for every page.
 */
export function segmentsOf({ conditions, order, place }: CheckedQuery): readonly Segment[] {
  const run = (more: readonly CheckedCondition[], afterId: string | null): Segment => {
    const all = [...conditions, ...more];
    const equal = new Set(all.filter(({ kind }) => kind === 'equal').map(({ path }) => path));
    return { conditions: all, afterId, order: order.filter(({ path }) => !equal.has(path)) };
  };
  if (!place) return [run([], null)];
  const same = order.map(({ path }, at) => equalTo(path, place.values[at] ?? null));
  const further = order.map((ordered, at) =>
    behind(ordered, place.values[at] ?? null).map((condition) =>
      run([...same.slice(0, at), condition], null),
    ),
  );
  return [run(same, place.id), ...further.toReversed().flat()];
}

/** What lies behind a value: the rest of its own type, then the types that follow. A range holds values of one type alone. */
function behind({ path, descending }: OrderedPath, value: Scalar): readonly CheckedCondition[] {
  const types = [
    { has: value === null, all: equalTo(path, null) },
    { has: typeof value === 'number', all: range('gte', Number.NEGATIVE_INFINITY) },
    { has: typeof value === 'string', all: range('gte', '') },
    { has: value === false, all: equalTo(path, false) },
    { has: value === true, all: equalTo(path, true) },
  ];
  const own = types.findIndex(({ has }) => has);
  const others = descending ? types.slice(0, own).toReversed() : types.slice(own + 1);
  const isRange = typeof value === 'number' || typeof value === 'string';
  return [...(isRange ? [range(descending ? 'lt' : 'gt', value)] : []), ...others.map(({ all }) => all)];

  function range(operator: Bound['operator'], from: string | number): CheckedCondition {
    const type = typeof from === 'string' ? 'string' : 'number';
    return { path, kind: 'range', type, bounds: [{ operator, value: from }] };
  }
}

function equalTo(path: string, value: Scalar): CheckedCondition {
  return { path, kind: 'equal', value };
}
