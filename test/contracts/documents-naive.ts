import { isJsonObject } from '../../src/platform/json-value.ts';
import type { Condition, CountQuery, Group, Query, Scalar } from '../../src/stores/documents/port.ts';

/** `find` and `count` as the port words them, over all documents at once: what adapters are compared with. */

type Bodies = Readonly<Record<string, unknown>>;

/** The ids of every document that meets the conditions, in order; the limit is for pages, and there are none here. */
export function naiveFind(
  bodies: Bodies,
  { where, order }: Pick<Query, 'where' | 'order'>,
): readonly string[] {
  return Object.keys(bodies)
    .filter((id) => meets(bodies[id], where))
    .toSorted((a, b) => {
      for (const entry of order) {
        const path = entry.replace('-', '');
        const sign = entry.startsWith('-') ? -1 : 1;
        const compared = sign * compare(valueAt(bodies[a], path), valueAt(bodies[b], path));
        if (compared !== 0) return compared;
      }
      return compare(a, b);
    });
}

export function naiveCount(bodies: Bodies, { where, by }: CountQuery): readonly Group[] {
  const groups = new Map<string, { values: readonly Scalar[]; count: number }>();
  for (const body of Object.values(bodies).filter((one) => meets(one, where))) {
    const values = by.map((path) => valueAt(body, path));
    const group = groups.get(JSON.stringify(values)) ?? { values, count: 0 };
    group.count += 1;
    groups.set(JSON.stringify(values), group);
  }
  return [...groups.values()];
}

function meets(body: unknown, where: Query['where']): boolean {
  return Object.entries(where).every(([path, condition]) => holds(valueAt(body, path), condition));
}

function holds(value: Scalar, condition: Condition): boolean {
  if (condition === null || typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  return Object.entries(condition).every(([operator, bound]) => {
    if (typeof value !== typeof bound) return false;
    const compared = compare(value, bound);
    if (operator === 'gt') return compared > 0;
    if (operator === 'gte') return compared >= 0;
    return operator === 'lt' ? compared < 0 : compared <= 0;
  });
}

/** The scalar at a path; null where there is none. */
function valueAt(body: unknown, path: string): Scalar {
  let value = body;
  for (const key of path.split('.')) {
    value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  }
  return value as Scalar;
}

const TYPES = ['object', 'number', 'string', 'boolean'];

function compare(a: Scalar, b: Scalar): number {
  if (typeof a !== typeof b) return TYPES.indexOf(typeof a) - TYPES.indexOf(typeof b);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b);
}
