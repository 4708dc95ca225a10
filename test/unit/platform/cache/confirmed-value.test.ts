import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createConfirmedValue } from '../../../../src/platform/cache/confirmed-value.ts';
import { fakeClock } from '../../../support/test-clock.ts';

function setUp() {
  const clock = fakeClock(1_000_000);
  let read = 0;
  const results: (number | Error)[] = [];
  const value = createConfirmedValue<number>({
    read: async () => {
      read += 1;
      const result = results.shift() ?? read;
      if (result instanceof Error) throw result;
      return result;
    },
    clock,
    minMs: 500,
    costFactor: 0,
  });
  return { value, clock, results, count: () => read };
}

describe('a confirmed value', () => {
  test('is read once for all who ask at once, and kept for its time', async () => {
    const { value, clock, count } = setUp();
    expect(await Promise.all([value.current(), value.current()])).toEqual([1, 1]);
    clock.time += 499;
    expect(await value.current()).toBe(1);
    clock.time += 1;
    expect(await value.current()).toBe(2);
    expect(count()).toBe(2);
  });

  test.each([3_600_000, -3_600_000])(
    'is as old as it is, though the wall clock jumps by %i ms',
    async (by) => {
      const { value, clock } = setUp();
      await value.current();
      clock.jumpedMs = by;
      expect(await value.current()).toBe(1);
      clock.jumpedMs = 0;
      clock.time += 374;
      expect(await value.current()).toBe(1);
      clock.jumpedMs = -500;
      clock.time += 500;
      expect(await value.current()).toBe(2);
    },
  );

  test('that is read ahead is read again in the last quarter of its time, once, while nobody waits', async () => {
    const { value, clock, count } = setUp();
    await value.current();
    clock.time += 374;
    expect([await value.current(), count()]).toEqual([1, 1]);
    clock.time += 1;
    expect(await Promise.all([value.current(), value.current()])).toEqual([1, 1]);
    expect(count()).toBe(2);
    await nextTurn();
    expect(await value.current()).toBe(2);
    // It is as old as its own reading.
    clock.time += 374;
    expect([await value.current(), count()]).toEqual([2, 2]);
  });

  test('that could not be read ahead is tried again, and whoever finds it too old hears of the failure', async () => {
    const { value, clock, results } = setUp();
    await value.current();
    results.push(new Error('down'), new Error('still down'), new Error('and down'));
    clock.time += 400;
    expect(await value.current()).toBe(1);
    await nextTurn();
    expect(await value.current()).toBe(1);
    await nextTurn();
    clock.time += 100;
    await expect(value.current()).rejects.toThrow('and down');
  });

  test('whose time is over fails with its computation, and is tried again by the next reader', async () => {
    const { value, clock, results } = setUp();
    await value.current();
    clock.time += 500;
    results.push(new Error('down'));
    await expect(value.current()).rejects.toThrow('down');
    expect(await value.current()).toBe(3);
  });
});
