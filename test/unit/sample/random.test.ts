import { expect, test } from 'vitest';

import { createRandom, createRandoms, zipf } from '../../../src/sample/random.ts';

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

test('uniform numbers fill [0, 1) evenly', () => {
  const random = createRandom('uniform');
  const values = draw(() => random.uniform());
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...values)).toBeLessThan(1);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const inside = values.filter((value) => Math.floor(value * 10) === tenth).length;
    expect(Math.abs(inside / DRAWS - 0.1)).toBeLessThan(0.01);
  }
});

test('normal numbers have mean 0 and deviation 1', () => {
  const random = createRandom('normal');
  const values = draw(() => random.normal());
  expect(Math.abs(mean(values))).toBeLessThan(0.03);
  expect(Math.abs(Math.sqrt(mean(values.map((value) => value ** 2))) - 1)).toBeLessThan(0.03);
});

test('half of the log-normal numbers lie below the median', () => {
  const random = createRandom('log-normal');
  const below = draw(() => random.logNormal(3000, 1.6)).filter((value) => value < 3000).length;
  expect(Math.abs(below / DRAWS - 0.5)).toBeLessThan(0.02);
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

test('the places of a Zipf distribution fall off as one over their number', () => {
  const random = createRandom('zipf');
  const places = draw(() => zipf(random, 1000));
  const share = (place: number): number => places.filter((one) => one === place).length / DRAWS;
  expect(Math.min(...places)).toBe(0);
  expect(Math.max(...places)).toBeLessThan(1000);
  expect(share(0) / share(9)).toBeGreaterThan(5);
  expect(share(0) / share(9)).toBeLessThan(15);
});
