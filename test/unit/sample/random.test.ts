import { expect, test } from 'vitest';

import { createRandom, createRandoms } from '../../../src/sample/random.ts';

const DRAWS = 20_000;

function draw(next: () => number): readonly number[] {
  return Array.from({ length: DRAWS }, next);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('one seed gives one sequence, and another seed another', () => {
  const [one, same, other] = ['a', 'a', 'b'].map((seed) => {
    const random = createRandom(seed);
    return draw(() => random.uniform());
  });
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test('the numbers stay as they are from release to release', () => {
  const random = createRandom('catalog');
  expect([random.uniform(), random.uniform(), random.uniform()]).toMatchInlineSnapshot(`
    [
      0.0483061196282506,
      0.8346393574029207,
      0.23819691152311862,
    ]
  `);
});

test('every pair of numbers has a sequence of its own, whichever was asked for first', () => {
  const randoms = createRandoms('pairs');
  const firstOf = (one: number, other: number): number => randoms(one, other).uniform();
  const pairs = Array.from({ length: 10_000 }, (_, index) => [index % 100, Math.floor(index / 100)] as const);
  const values = pairs.map(([one, other]) => firstOf(one, other));
  expect(new Set(values).size).toBeGreaterThan(9990);
  expect(Math.abs(mean(values) - 0.5)).toBeLessThan(0.01);
  expect(pairs.toReversed().map(([one, other]) => firstOf(one, other))).toEqual(values.toReversed());
});
