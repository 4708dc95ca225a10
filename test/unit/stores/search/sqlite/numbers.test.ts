import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  intersection,
  type Numbers,
  union,
  without,
} from '../../../../../src/stores/search/sqlite/numbers.ts';

const numbers = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })
  .map((some): Numbers => some.toSorted((one, other) => one - other));

test('lists are combined as sets are, and stay ascending', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [own, others] = [new Set(one), new Set(other)];
      const ascending = (set: ReadonlySet<number>) => [...set].toSorted((some, more) => some - more);
      expect(union(one, other)).toEqual(ascending(own.union(others)));
      expect(intersection(one, other)).toEqual(ascending(own.intersection(others)));
      expect(without(one, other)).toEqual(ascending(own.difference(others)));
    }),
  );
});
