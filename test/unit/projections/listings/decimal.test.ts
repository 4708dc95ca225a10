import { describe, expect, test } from 'vitest';

import { decimal, quotient, times } from '../../../../projections/listings/decimal.ts';

describe('exact decimal arithmetic', () => {
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
