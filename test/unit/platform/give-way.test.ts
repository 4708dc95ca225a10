import { afterEach, expect, test, vi } from 'vitest';

import { createGiveWay } from '../../../src/platform/give-way.ts';

afterEach(() => void vi.restoreAllMocks());

test('a thread rests once for each half millisecond that it has computed', () => {
  const giveWay = createGiveWay();
  let now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const rests = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
  const restsAfter = (ms: number): number => {
    now += ms;
    giveWay();
    return rests.mock.calls.length;
  };
  expect([0.5, 0.25, 0.125, 0.125, 7].map(restsAfter)).toEqual([1, 1, 1, 2, 3]);
});

test('a rest is a sleep, not a look at the clock', () => {
  const rests = vi.spyOn(Atomics, 'wait');
  createGiveWay()();
  // Without a timeout that is longer than nothing, it would not give the processor away.
  expect(rests.mock.calls.map(([, , , timeout]) => Number(timeout) > 0)).toEqual([true]);
  expect(rests.mock.results).toEqual([{ type: 'return', value: 'timed-out' }]);
});
