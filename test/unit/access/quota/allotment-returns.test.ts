import { expect, test } from 'vitest';

import { createReturns } from '../../../../src/access/quota/allotment-returns.ts';
import { type Counter, newCounter } from '../../../../src/access/quota/local-counter.ts';
import { morningClock, passing } from '../fixture.ts';

const DAY = '2026-11-20';

/** A counter that holds 5 requests, and was used so many seconds ago. */
function holding(place: string, usedAtS: number): Counter {
  return Object.assign(newCounter(place, DAY), { share: 5, stored: 5, version: 1, usedAtS });
}

/** What gives back, without a store: `returned` are the places in the order in which they gave back. */
function opened() {
  const clock = morningClock();
  const returned: string[] = [];
  let looks = 0;
  const look = async (): Promise<void> => void (looks += 1);
  const flush = async (counter: Counter): Promise<void> => {
    returned.push(counter.place);
    Object.assign(counter, { share: 0, stored: 0 });
    returns.used(counter);
  };
  const returns = createReturns(clock, look, undefined, flush, 1_000_000);
  return { clock, returned, returns, looks: () => looks };
}

test('an idle place gives back in its turn, however many are in use before it', async () => {
  const { clock, returned, returns } = opened();
  for (let place = 0; place < 2500; place += 1) returns.used(holding(`busy/${place}`, 0));
  returns.used(holding('idle/1', -3600));
  await passing(clock, 1000);
  expect(returned).toEqual([]);
  await passing(clock, 500);
  expect(returned).toEqual(['idle/1']);
});

test('a place that is called for gives back within half a second, however many others have to', async () => {
  const { clock, returned, returns } = opened();
  const places = Array.from({ length: 450 }, (_, place) => holding(`acme/${place}`, 0));
  for (const counter of places) returns.used(counter);
  for (const counter of places) returns.called(counter);
  await passing(clock, 500);
  expect(returned).toEqual(places.map(({ place }) => place));
});

test('places at which requests wait are left to their batch, and cause no look', async () => {
  const { clock, returned, returns, looks } = opened();
  for (let place = 0; place < 450; place += 1) {
    const waiting = new Set([{ keyId: 'k', minute: 0 }]);
    returns.used(Object.assign(newCounter(`new/${place}`, DAY), { waiting }));
  }
  await passing(clock, 2000);
  expect([returned, looks()]).toEqual([[], 0]);
  returns.used(holding('acme/1', -3600));
  await passing(clock, 2000);
  expect(returned).toEqual(['acme/1']);
});
