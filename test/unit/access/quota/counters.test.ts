import { expect, test } from 'vitest';

import { createCounters } from '../../../../src/access/quota/counters.ts';

const DAY = '2026-11-20';

test('counters that were not used lately are forgotten, but for those of which something is held', () => {
  const counters = createCounters(2);
  const held = counters.of('held/1', DAY);
  held.unspent = 1;
  const first = counters.of('first/1', DAY);
  for (const place of ['a/1', 'b/1', 'c/1', 'd/1', 'e/1', 'f/1']) {
    counters.of(place, DAY);
    counters.forgetOld();
  }
  expect(counters.of('held/1', DAY)).toBe(held);
  expect(counters.of('first/1', DAY)).not.toBe(first);
});

test('where all are held, only as many new ones begin another round of forgetting', () => {
  const counters = createCounters(10);
  for (let place = 0; place < 50; place += 1) counters.of(`held-${place}/1`, DAY).unspent = 1;
  // The first two rounds carry them all over.
  counters.forgetOld();
  for (let place = 0; place < 10; place += 1) counters.of(`more-${place}/1`, DAY);
  counters.forgetOld();
  const idle = counters.of('idle/1', DAY);
  for (let batch = 0; batch < 5; batch += 1) counters.forgetOld();
  expect(counters.find(idle.id)).toBe(idle);
});
