import { expect, test } from 'vitest';

import { emptyRate, untouchedRate } from '../../../../src/api/http/rate-values.ts';

test('the seconds to 00:00 UTC are rounded up, and never 0', () => {
  const at = (time: string) => untouchedRate(1000, Date.parse(time)).resetS;
  expect(at('2026-11-20T00:00:00.000Z')).toBe(86_400);
  expect(at('2026-11-20T23:59:58.001Z')).toBe(2);
  expect(at('2026-11-20T23:59:59.999Z')).toBe(1);
  expect(emptyRate(1000, 0)).toMatchObject({ limit: 1000, remaining: 0, cost: 0 });
});
