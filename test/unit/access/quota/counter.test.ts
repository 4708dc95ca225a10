import { expect, test } from 'vitest';

import { createCounters } from '../../../../src/access/quota/counter.ts';

const DAY = '2026-11-20';

test('a counter is one and the same for as long as it is remembered', () => {
  const counters = createCounters();
  expect(counters.of('k_one', DAY)).toBe(counters.of('k_one', DAY));
  expect(counters.of('k_one', DAY)).not.toBe(counters.of('k_one', '2026-11-21'));
});

test('beyond the bound the counters used longest ago are forgotten', () => {
  const counters = createCounters(2);
  const [one, two] = [counters.of('k_one', DAY), counters.of('k_two', DAY)];
  counters.of('k_one', DAY);
  counters.of('k_three', DAY);
  counters.forgetOld();
  expect(counters.of('k_one', DAY)).toBe(one);
  expect(counters.of('k_two', DAY)).not.toBe(two);
});

test('counters are forgotten a tenth beyond the bound at a time, in the order of their last use, whatever their day', () => {
  const counters = createCounters(100);
  const places = Array.from({ length: 110 }, (_, at) => `k_${at}`);
  const first = places.map((place) => counters.of(place, DAY));
  counters.forgetOld();
  expect(places.map((place) => counters.of(place, DAY))).toEqual(first);
  expect(counters.of('k_0', DAY)).toBe(first[0]);
  const yesterdays = counters.of('k_1', '2026-11-19');
  counters.forgetOld();
  // 111 are there: the eleven used longest ago are gone.
  const isKept = (at: number) => counters.of(places[at] ?? '', DAY) === first[at];
  expect([12, 13, 109, 0].map(isKept)).toEqual([true, true, true, true]);
  expect([1, 2, 11].map(isKept)).toEqual([false, false, false]);
  expect(counters.of('k_1', '2026-11-19')).toBe(yesterdays);
});

test('a counter that owes the store something is never forgotten', () => {
  const counters = createCounters(0);
  const owing = counters.of('k_one', DAY);
  owing.owed = 1;
  const unwritten = counters.of('k_two', DAY);
  unwritten.own = 3;
  counters.forgetOld();
  expect(counters.of('k_one', DAY)).toBe(owing);
  expect(counters.of('k_two', DAY)).toBe(unwritten);
});
