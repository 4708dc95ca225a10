import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decimal, plus, quotient, rounded, times } from '../../../../projections/listings/decimal.ts';
import { add, divide, fromText, multiply, nearest } from '../../../support/rational.ts';

const double = fc.double({ min: -1e20, max: 1e20, noNaN: true });
const positive = fc.double({ min: 1e-9, max: 1e20, noNaN: true });
const decimals = fc.integer({ min: 0, max: 6 });

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

  test('sums, products and quotients agree with exact fractions', () => {
    fc.assert(
      fc.property(double, double, positive, decimals, (a, b, c, places) => {
        const parts = 10 ** places;
        const numberOf = (value: bigint) => Number(`${value}e-${places}`);
        const [x, y, z] = [fromText(a), fromText(b), fromText(c)];
        expect(rounded(plus(decimal(a), decimal(b)), places)).toBe(numberOf(nearest(add(x, y), parts)));
        expect(rounded(times(decimal(a), decimal(b)), places)).toBe(numberOf(nearest(multiply(x, y), parts)));
        expect(quotient(decimal(a), decimal(c), places)).toBe(numberOf(nearest(divide(x, z), parts)));
      }),
      { numRuns: 1000 },
    );
  });
});
