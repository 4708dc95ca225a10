import { expect, test } from 'vitest';

import { createReading, type Reading } from '../../../../src/api/reading/reading.ts';
import type { LiveAlias } from '../../../../src/stores/live.ts';
import { ALONE } from '../../../../src/stores/live.ts';
import type { ReadDocuments } from '../../../../src/stores/time-limit.ts';

/** Whoever keeps an answer asks one number whether anything that it says may be otherwise by now. */

const CONFIRM_MS = 400;
/** Longer than anything is kept. */
const LATER_MS = 10_000;
const ALL = { name: 'all', kind: null, categories: null };

function openInstance() {
  let now = 0;
  const stores = { live: 'listings@1', count: 1, leader: 'a', category: 'c1' };
  const clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
  const documents = {
    count: async () => [{ values: ['channel', null], count: stores.count }],
    find: async () => ({ documents: [{ id: stores.leader }], next: null }),
    scan: async function* () {
      yield [{ id: 'a', version: stores.category, body: { view: { defined: false } } }];
    },
  } as unknown as ReadDocuments;
  const read = async (name: string): Promise<LiveAlias> => {
    const collection = name === 'listings' ? stores.live : `${name}@1`;
    return { ...ALONE, version: 1, collection, index: collection, sources: {}, token: collection };
  };
  const common = { documents, clock, confirmMs: CONFIRM_MS, storeLimitMs: 2000, maxBytes: 2 ** 20 };
  const reading = createReading({ ...common, live: { read }, search: {} as never });
  return { reading, stores, pass: () => void (now += LATER_MS) };
}

type Stores = ReturnType<typeof openInstance>['stores'];

test.each<[string, (reading: Reading) => unknown, Partial<Stores>]>([
  ['the live build', (reading) => reading.live('listings'), { live: 'listings@2' }],
  ['a category', (reading) => reading.taxonomy(), { category: 'c2' }],
  ['a count', (reading) => reading.counts('listings@1').current(), { count: 2 }],
  ['a ranking', (reading) => reading.ranking('listings@1', ALL as never).current(), { leader: 'b' }],
])('%s that is otherwise is a change, and one that is read again is none', async (_what, look, otherwise) => {
  const { reading, stores, pass } = openInstance();
  await look(reading);
  const before = reading.changes();
  pass();
  await look(reading);
  expect(reading.changes()).toBe(before);
  Object.assign(stores, otherwise);
  pass();
  // What is read ahead of its time is there for the second one who asks.
  await look(reading);
  await look(reading);
  expect(reading.changes()).toBe(before + 1);
});
