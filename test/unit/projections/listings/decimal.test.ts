import { describe, expect, test } from 'vitest';

import { decimal, quotient, rounded, times } from '../../../../projections/listings/decimal.ts';

describe('exact decimal arithmetic', () => {
  test.each([
    [0.05, 1, 0.1],
    [0.25, 1, 0.3],
    [1.005, 2, 1.01],
    [8.345, 2, 8.35],
    [0.285, 2, 0.29],
    [0.0449999, 1, 0],
  ])('a half is rounded up: %d to %d decimals is %d', (value, places, expected) => {
    expect(rounded(decimal(value), places)).toBe(expected);
  });

  test.each([
    [-0.125, 2, -0.12],
    [-0.126, 2, -0.13],
    [-0.05, 1, 0],
    [-1.5, 0, -1],
  ])(
    'up is towards positive infinity for negative numbers too: %d to %d decimals is %d',
    (value, places, expected) => {
      expect(rounded(decimal(value), places)).toBe(expected);
    },
  );

  test('a double stands for the decimal number that its text shows, whatever its magnitude', () => {
    expect(decimal(1e21)).toEqual({ units: 10n ** 21n, scale: 0 });
    expect(decimal(1.5e-7)).toEqual({ units: 15n, scale: 8 });
    expect(decimal(-0)).toEqual({ units: 0n, scale: 0 });
  });

  test('what no double can hold becomes the greatest double', () => {
    expect(quotient(times(decimal(100), decimal(Number.MAX_VALUE)), decimal(1), 1)).toBe(Number.MAX_VALUE);
    expect(quotient(times(decimal(-100), decimal(Number.MAX_VALUE)), decimal(1), 1)).toBe(-Number.MAX_VALUE);
  });
});
