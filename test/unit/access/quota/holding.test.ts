import { expect, test } from 'vitest';

import { IDLE_MS } from '../../../../src/access/quota/allotment.ts';
import { newCounter, type Counter } from '../../../../src/access/quota/counter.ts';
import { createHolding } from '../../../../src/access/quota/holding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

function holding() {
  const clock = createTestClock();
  const flushed: Counter[] = [];
  const made = createHolding({
    clock,
    board: { look: async () => undefined },
    logger: undefined,
    flush: async (counter) => {
      flushed.push(counter);
      counter.unspent = 0;
      counter.own = counter.stored;
    },
  });
  /** So many turns, look by look: it sleeps no more once nothing is left. */
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(IDLE_MS);
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { made, flushed, turns };
}

function held(place: string): Counter {
  return Object.assign(newCounter(place, '2026-11-20'), { version: 'v1', own: 21, stored: 21, unspent: 20 });
}

test('what is held is given back once its place is idle', async () => {
  const { made, flushed, turns } = holding();
  const counter = held('acme/1');
  made.used(counter);
  await turns(3);
  expect(flushed).toEqual([counter]);
});

test('of a place that has spent all it held the store is told nothing: its counter may have a successor by then', async () => {
  const { made, flushed, turns } = holding();
  const [spent, other] = [held('acme/1'), held('acme/2')];
  made.used(spent);
  made.used(other);
  await turns(1);
  spent.unspent = 0;
  await turns(3);
  expect(flushed).toEqual([other]);
});
