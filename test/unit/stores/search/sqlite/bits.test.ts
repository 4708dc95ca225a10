import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  addAll,
  addNumbers,
  bitsOf,
  has,
  intersection,
  numbersIn,
  union,
  without,
} from '../../../../../src/stores/search/sqlite/bits.ts';

const MOST = 200;
const numbers = fc
  .uniqueArray(fc.integer({ min: 0, max: MOST }))
  .map((some) => some.toSorted((a, b) => a - b));

test('sets of numbers are joined as sets are', () => {
  const property = fc.property(numbers, numbers, (some, others) => {
    const [one, other] = [bitsOf(some, MOST), bitsOf(others, MOST)];
    const sorted = (set: ReadonlySet<number>): readonly number[] => [...set].toSorted((a, b) => a - b);
    expect(numbersIn(one)).toEqual(some);
    const [joined, extended] = [bitsOf(some, MOST), bitsOf(some, MOST)];
    addAll(joined, other);
    addNumbers(extended, others);
    expect(numbersIn(joined)).toEqual(sorted(new Set(some).union(new Set(others))));
    expect(extended).toEqual(joined);
    expect(union(one, other)).toEqual(joined);
    expect(numbersIn(one)).toEqual(some);
    expect(numbersIn(intersection(one, other))).toEqual(sorted(new Set(some).intersection(new Set(others))));
    expect(numbersIn(without(one, other))).toEqual(sorted(new Set(some).difference(new Set(others))));
    expect(some.every((n) => has(one, n))).toBe(true);
  });
  fc.assert(property);
});
