import { expect, test } from 'vitest';

import { createCounters } from '../../../../src/access/quota/counters.ts';

const DAY = '2026-11-20';

test('beyond the bound the counters that were not used lately are forgotten', () => {
  const counters = createCounters(2);
  const [one, two] = [counters.of('k_one', DAY), counters.of('k_two', DAY)];
  counters.forgetOld();
  expect(counters.of('k_one', DAY)).toBe(one);
  counters.of('k_three', DAY);
  counters.forgetOld();
  expect(counters.of('k_one', DAY)).toBe(one);
  expect(counters.of('k_two', DAY)).not.toBe(two);
});

test('a counter that owes the store something is never forgotten', () => {
  const counters = createCounters(0);
  const owing = counters.of('k_one', DAY);
  owing.owed = 1;
  const unwritten = counters.of('k_two', DAY);
  unwritten.own = 3;
  for (let round = 0; round < 5; round += 1) counters.forgetOld();
  expect(counters.of('k_one', DAY)).toBe(owing);
  expect(counters.of('k_two', DAY)).toBe(unwritten);
});
