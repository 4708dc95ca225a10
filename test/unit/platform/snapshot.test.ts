import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createSnapshot } from '../../../src/platform/snapshot.ts';
import { systemClock } from '../../../src/platform/clock.ts';

function setUp(costFactor = 0, isFirstDearer = false, isAhead = false) {
  const clock = {
    ...systemClock,
    time: 1_000_000,
    jumpedMs: 0,
    now: () => clock.time + clock.jumpedMs,
    monotonic: () => clock.time,
  };
  let computed = 0;
  const results: (number | Error)[] = [];
  const snapshot = createSnapshot<number>({
    compute: async () => {
      computed += 1;
      const result = results.shift() ?? computed;
      if (result instanceof Error) throw result;
      return result;
    },
    clock,
    minMs: 500,
    costFactor,
    isFirstDearer,
    isAhead,
  });
  return { snapshot, clock, results, count: () => computed };
}

describe('a snapshot', () => {
  test('is computed once for all who ask at once, and kept for its time', async () => {
    const { snapshot, clock, count } = setUp();
    expect(await Promise.all([snapshot.current(), snapshot.current()])).toEqual([1, 1]);
    clock.time += 499;
    expect(await snapshot.current()).toBe(1);
    clock.time += 1;
    expect(await snapshot.current()).toBe(2);
    expect(count()).toBe(2);
  });

  test.each([3_600_000, -3_600_000])(
    'is as old as it is, though the wall clock jumps by %i ms',
    async (by) => {
      const { snapshot, clock } = setUp();
      await snapshot.current();
      clock.jumpedMs = by;
      expect(await snapshot.current()).toBe(1);
      clock.jumpedMs = 0;
      clock.time += 499;
      expect(await snapshot.current()).toBe(1);
      clock.jumpedMs = -500;
      clock.time += 500;
      expect(await snapshot.current()).toBe(2);
    },
  );

  test('is computed anew for a reader who has seen that it is behind', async () => {
    const { snapshot, clock } = setUp();
    await snapshot.current();
    clock.time += 100;
    expect(await snapshot.renewed()).toBe(2);
    expect(await snapshot.current()).toBe(2);
  });

  test('is computed anew for readers of a value that is wrong, once for all of them', async () => {
    const { snapshot, count } = setUp(1e9);
    const wrong = await snapshot.current();
    expect(await Promise.all([snapshot.insteadOf(wrong), snapshot.insteadOf(wrong)])).toEqual([2, 2]);
    expect(await snapshot.insteadOf(wrong)).toBe(2);
    expect(count()).toBe(2);
  });

  test('that is computed ahead is computed again in the last quarter of its time, once, while nobody waits', async () => {
    const { snapshot, clock, count } = setUp(0, false, true);
    await snapshot.current();
    clock.time += 374;
    expect([await snapshot.current(), count()]).toEqual([1, 1]);
    clock.time += 1;
    expect(await Promise.all([snapshot.current(), snapshot.current()])).toEqual([1, 1]);
    expect(count()).toBe(2);
    await nextTurn();
    expect(await snapshot.current()).toBe(2);
    // It is as old as its own reading.
    clock.time += 374;
    expect([await snapshot.current(), count()]).toEqual([2, 2]);
  });

  test('that is not asked for is not computed ahead, and is waited for once it is too old', async () => {
    const { snapshot, clock, count } = setUp(0, false, true);
    await snapshot.current();
    clock.time += 500;
    expect(count()).toBe(1);
    expect(await snapshot.current()).toBe(2);
  });

  test('that could not be computed ahead is tried again, and whoever finds it too old hears of the failure', async () => {
    const { snapshot, clock, results } = setUp(0, false, true);
    await snapshot.current();
    results.push(new Error('down'), new Error('still down'), new Error('and down'));
    clock.time += 400;
    expect(await snapshot.current()).toBe(1);
    await nextTurn();
    expect(await snapshot.current()).toBe(1);
    await nextTurn();
    clock.time += 100;
    await expect(snapshot.current()).rejects.toThrow('and down');
  });

  test('that is wrong is computed anew behind a computation that was begun before', async () => {
    const { snapshot, clock, results, count } = setUp(0, false, true);
    const wrong = await snapshot.current();
    clock.time += 400;
    results.push(wrong, 7);
    expect(await snapshot.current()).toBe(wrong);
    expect(await Promise.all([snapshot.insteadOf(wrong), snapshot.insteadOf(wrong)])).toEqual([7, 7]);
    expect(count()).toBe(3);
  });

  test('that was costly is kept for longer, but for no more than five seconds', async () => {
    const { snapshot, clock } = setUp(1e9);
    await snapshot.current();
    clock.time += 4999;
    expect(await snapshot.current()).toBe(1);
    clock.time += 1;
    expect(await snapshot.current()).toBe(2);
  });

  test('whose first value alone is costly keeps it no longer than its time', async () => {
    const { snapshot, clock } = setUp(1e9, true);
    await snapshot.current();
    clock.time += 500;
    expect(await snapshot.current()).toBe(2);
    clock.time += 4999;
    expect(await snapshot.current()).toBe(2);
  });

  test('whose time is over fails with its computation, and is tried again by the next reader', async () => {
    const { snapshot, clock, results } = setUp();
    await snapshot.current();
    clock.time += 500;
    results.push(new Error('down'));
    await expect(snapshot.current()).rejects.toThrow('down');
    expect(await snapshot.current()).toBe(3);
  });
});
