import { expect, test } from 'vitest';

import { createBoundedMap } from '../../../../src/platform/cache/bounded-map.ts';
import { heldMemory } from '../../../support/memory.ts';

test('what was used since the last round of forgetting outlives what was not', () => {
  const map = createBoundedMap<number>(3);
  for (const key of ['a', 'b', 'c']) map.set(key, 1, 1);
  map.get('a');
  map.set('d', 1, 1);
  expect(['a', 'b', 'c', 'd'].filter((key) => map.peek(key))).toEqual(['a', 'c', 'd']);
});

test('what is new takes the place of what is old, also where all of that was used once', () => {
  const map = createBoundedMap<number>(3);
  for (const key of ['a', 'b', 'c']) map.set(key, 1, 1);
  for (const key of ['a', 'b', 'c']) map.get(key);
  for (const key of ['d', 'e', 'f']) {
    map.set(key, 1, 1);
    expect(map.peek(key)).toBe(1);
  }
  expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((key) => map.peek(key))).toEqual(['d', 'e', 'f']);
});

test('a value larger than the bound is not kept, and nothing makes room for it', () => {
  const map = createBoundedMap<number>(3);
  map.set('a', 1, 3);
  map.set('b', 1, 4);
  expect([map.peek('a'), map.peek('b')]).toEqual([1, undefined]);
});

test('a value that is given again and again takes the memory of one', () => {
  const map = createBoundedMap<object>(1_000_000);
  const before = heldMemory().heapUsed;
  for (let at = 0; at < 1_000_000; at += 1) map.set(`${at % 1000}`, { at }, 10);
  expect(map.peek('5')).toEqual({ at: 999_005 });
  expect(heldMemory().heapUsed - before).toBeLessThan(20e6);
});
