import { expect, test } from 'vitest';

import { createRandom } from '../../../src/sample/random.ts';

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
