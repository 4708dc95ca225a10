import { describe, expect, test } from 'vitest';

import { createAdmission } from '../../../../src/api/reading/admission.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** Admission to a store that answers one after the other, each in the time that the test says. */
function setUp({ maxWaitMs = 1000, atOnce = Infinity } = {}) {
  const clock = createTestClock();
  const admission = createAdmission({ of: 'a search', maxWaitMs, atOnce, clock });
  const inStore: (PromiseWithResolvers<string> & { readonly caller: string })[] = [];
  const comeWith = (caller: string, yields: boolean) =>
    admission.admit(
      caller,
      () => {
        const answer = Promise.withResolvers<string>();
        inStore.push({ ...answer, caller });
        return answer.promise;
      },
      yields,
    );
  const come = (caller = 'one') => comeWith(caller, false);
  const answer = async (afterMs: number) => {
    clock.advance(afterMs);
    inStore.shift()?.resolve('answered');
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** One after the other, each of which takes as long. */
  const serve = async (times: number, ms: number) => {
    for (let turn = 0; turn < times; turn += 1) {
      const one = come();
      await answer(ms);
      await one;
    }
  };
  /** How many more are let in now. */
  const room = async () => {
    for (let came = 0; ; came += 1) {
      const refused = await Promise.race([
        come().then(
          () => false,
          () => true,
        ),
        new Promise<false>((resolve) => setImmediate(() => resolve(false))),
      ]);
      if (refused) return came;
    }
  };
  return { come, comeWith, answer, serve, room, clock, inStore };
}

describe('admission', () => {
  test('lets in as many as can be answered in time, at first by a guess', async () => {
    const { room, come, inStore } = setUp();
    expect(await room()).toBe(101);
    expect(inStore).toHaveLength(101);
    await expect(come()).rejects.toThrow(
      new RetryableError('101 are in line for a search, each takes 10 ms'),
    );
  });

  test('lets in fewer where each takes longer, and more again where each takes less', async () => {
    const { serve, answer, room, inStore } = setUp();
    await serve(100, 100);
    expect(await room()).toBe(11);
    while (inStore.length > 0) await answer(1);
    await serve(100, 1);
    expect(await room()).toBeGreaterThan(500);
  });

  test('takes one that was held up for what it is: those behind it are let in', async () => {
    const { serve, room } = setUp();
    await serve(1, 1000);
    expect(await room()).toBeGreaterThan(70);
  });

  test('always lets one in, however long the last one took', async () => {
    const { serve, room } = setUp();
    await serve(50, 60_000);
    expect(await room()).toBe(1);
  });

  test('gives the store a few at a time, and lets callers take turns', async () => {
    const { come, answer, inStore } = setUp({ atOnce: 2 });
    const all = ['one', 'one', 'one', 'one', 'one', 'two', 'two', 'three'].map(come);
    const order: string[] = [];
    while (inStore.length > 0) {
      expect(inStore.length).toBeLessThanOrEqual(2);
      order.push(String(inStore[0]?.caller));
      await answer(10);
    }
    await Promise.all(all);
    expect(order).toEqual(['one', 'one', 'one', 'two', 'three', 'one', 'two', 'one']);
  });

  test('that is full for one caller has room for another one', async () => {
    const { come, room, answer, inStore } = setUp({ atOnce: 2 });
    expect(await room()).toBe(101);
    const other = come('two');
    await answer(10);
    await answer(10);
    expect(inStore.map(({ caller }) => caller)).toContain('two');
    while (inStore.length > 0) await answer(1);
    expect(await other).toBe('answered');
  });

  test('refuses everybody sooner where many callers wait', async () => {
    const { come } = setUp();
    for (let count = 0; count <= 100; count += 1) void come(`caller ${count}`);
    await expect(come('another')).rejects.toThrow('101 are in line');
  });

  test('lets nobody wait for longer than it may be, and goes on after that', async () => {
    const { come, answer, clock, inStore } = setUp({ atOnce: 1 });
    const first = come('one');
    const second = come('two');
    clock.advance(1000);
    await expect(second).rejects.toThrow(RetryableError);
    await answer(0);
    expect(await first).toBe('answered');
    const third = come('three');
    expect(inStore).toHaveLength(1);
    await answer(0);
    expect(await third).toBe('answered');
  });
});

describe('requests that yield', () => {
  const YIELDS = true;
  const callersIn = (inStore: readonly { readonly caller: string }[]) => inStore.map(({ caller }) => caller);

  test('come to the store one at a time, however much room it has', async () => {
    const { comeWith, answer, inStore } = setUp({ atOnce: 4 });
    for (const caller of ['page a', 'page b', 'page c']) void comeWith(caller, YIELDS);
    expect(callersIn(inStore)).toEqual(['page a']);
    await answer(1);
    expect(callersIn(inStore)).toEqual(['page b']);
  });

  test('let all others go first, also those that came later', async () => {
    const { come, comeWith, answer, inStore } = setUp({ atOnce: 1 });
    void come('key a');
    void comeWith('page', YIELDS);
    void come('key b');
    void come('key c');
    const order: string[] = [];
    while (inStore.length > 0) {
      order.push(...callersIn(inStore));
      await answer(1);
    }
    expect(order).toEqual(['key a', 'key b', 'key c', 'page']);
  });

  test('do not count towards what others have to wait for, and are refused where those fill the time', async () => {
    const { comeWith, room } = setUp({ atOnce: 1 });
    for (let index = 0; index < 90; index += 1) void comeWith(`page ${index}`, YIELDS).catch(() => null);
    expect(await room()).toBe(101);
    await expect(comeWith('page', YIELDS)).rejects.toThrow(RetryableError);
  });
});
