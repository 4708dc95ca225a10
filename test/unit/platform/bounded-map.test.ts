import { expect, test } from 'vitest';

import { createBoundedMap } from '../../../src/platform/bounded-map.ts';

test('what was used survives what was not', () => {
  const map = createBoundedMap<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index, 1);
  map.get('a');
  map.set('d', 3, 1);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([0, undefined, 2, 3]);
});

test('the bound holds where everything was used', () => {
  const map = createBoundedMap<number>(10);
  const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
  for (const key of keys) {
    map.set(key, 1, 3);
    for (const other of keys) map.get(other);
  }
  expect(keys.filter((key) => map.get(key) !== undefined)).toHaveLength(3);
});

test('what is larger than the bound is not kept, and replaces what was there', () => {
  const map = createBoundedMap<string>(10);
  map.set('a', 'small', 1);
  map.set('a', 'large', 11);
  expect(map.get('a')).toBeUndefined();
});
