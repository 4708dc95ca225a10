import { describe, expect, test } from 'vitest';

import { differenceOf, judgeClock } from '../../../../src/operations/doctor/check.ts';

describe('clocks', () => {
  const judged = (ms: number) => judgeClock(ms).verdict;

  test('that differ by a second are a warning, by 30 a problem, whichever is ahead', () => {
    expect([0, 999].map(judged)).toEqual(['ok', 'ok']);
    expect([1000, -1000, 29_999].map(judged)).toEqual(['warning', 'warning', 'warning']);
    expect([30_000, -30_000].map(judged)).toEqual(['problem', 'problem']);
  });

  test('differ by what a slow answer does not explain', () => {
    expect(differenceOf(1000, 4000, 9000)).toBe(0);
    expect(differenceOf(1000, 500, 9000)).toBe(-500);
    expect(differenceOf(1000, 9700, 9000)).toBe(700);
  });
});
