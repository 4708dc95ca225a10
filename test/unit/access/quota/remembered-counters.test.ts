import { expect, test } from 'vitest';

import type { Counter } from '../../../../src/access/quota/local-counter.ts';
import { createRememberedCounters } from '../../../../src/access/quota/remembered-counters.ts';

const DAY = '2026-11-20';

test('those that were made longest ago are forgotten where there are too many', () => {
  const counters = createRememberedCounters(3, () => false);
  const made = ['acme/1', 'acme/2', 'acme/3', 'acme/4', 'acme/5'].map((place) => counters.of(place, DAY));
  expect(made.map(counters.has)).toEqual([false, false, true, true, true]);
});

test('one of which something is held stays, however many come after it', () => {
  const counters = createRememberedCounters(3, () => false);
  const held = counters.of('acme/1', DAY);
  Object.assign(held, { share: 20, stored: 20, version: 1 });
  for (let place = 0; place < 100; place += 1) counters.of(`other/${place}`, DAY);
  expect(counters.has(held)).toBe(true);
  held.spent = 20;
  for (let place = 100; place < 110; place += 1) counters.of(`other/${place}`, DAY);
  expect(counters.has(held)).toBe(false);
});

test('there are no more than the bound again after a time in which more had to stay', () => {
  const counters = createRememberedCounters(3, () => false);
  const held = Array.from({ length: 50 }, (_, place) => {
    const counter = counters.of(`held/${place}`, DAY);
    counter.spent = 1;
    return counter;
  });
  expect(held.every(counters.has)).toBe(true);
  for (const counter of held) counter.spent = 0;
  const made = Array.from({ length: 200 }, (_, place) => counters.of(`new/${place}`, DAY));
  expect([...held, ...made].filter(counters.has).length).toBeLessThanOrEqual(3);
});

test('those of the day before go first, but for what is held', () => {
  const counters = createRememberedCounters(4, () => false);
  const [settled, held] = [counters.of('acme/1', DAY), counters.of('acme/2', DAY)];
  held.spent = 1;
  const today = ['acme/3', 'acme/4', 'acme/5'].map((place) => counters.of(place, '2026-11-21'));
  expect([settled, held, ...today].map(counters.has)).toEqual([false, true, true, true, true]);
});

test('one that is being counted stays', () => {
  const counting: Counter[] = [];
  const counters = createRememberedCounters(1, (counter) => counting.includes(counter));
  counting.push(counters.of('acme/1', DAY));
  for (let place = 2; place < 9; place += 1) counters.of(`acme/${place}`, DAY);
  expect(counting.every(counters.has)).toBe(true);
});
