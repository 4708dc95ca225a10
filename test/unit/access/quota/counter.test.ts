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

test('counters that could not be forgotten are so later, once the store has it all', () => {
  const counters = createCounters(100);
  const first = Array.from({ length: 1000 }, (_, at) => counters.of(`k_${at}`, DAY));
  for (const counter of first) counter.owed = 1;
  counters.forgetOld();
  for (const counter of first) counter.owed = 0;
  for (let at = 0; at < 11; at += 1) counters.of(`k_later_${at}`, DAY);
  counters.forgetOld();
  // The hundred used last are the later ones and these.
  const isKept = (at: number) => counters.of(`k_${at}`, DAY) === first[at];
  expect([999, 911].map(isKept)).toEqual([true, true]);
  expect([910, 500, 0].map(isKept)).toEqual([false, false, false]);
});
