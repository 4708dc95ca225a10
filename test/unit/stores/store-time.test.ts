import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createStoreTime } from '../../../src/stores/store-time.ts';
import { RetryableError } from '../../../src/platform/errors.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

/** A store at noon, and a wall clock that tells `wallMs`. `whileAsked` happens between question and answer. */
function stage(wallMs: number, whileAsked: () => void = () => undefined) {
  const state = { wallMs, passed: 0, storeMs: NOON, asked: 0, whileAsked, hangs: false };
  const pass = (ms: number): void => {
    state.passed += ms;
    state.storeMs += ms;
  };
  const time = createStoreTime(
    {
      now: async () => {
        state.asked += 1;
        if (state.hangs) return await new Promise<never>(() => undefined);
        const told = state.storeMs;
        state.whileAsked();
        return told;
      },
    },
    { now: () => state.wallMs + state.passed, monotonic: () => state.passed, sleep: () => Promise.resolve() },
  );
  return { state, time, pass };
}

test.each([-HOUR_MS, 0, HOUR_MS])(
  'a local clock that is wrong by %i ms tells the store’s time',
  async (by) => {
    const { state, time, pass } = stage(NOON + by);
    expect(time.known()).toBeNull();
    expect(await time.now()).toBe(NOON);
    pass(4999);
    expect(time.known()).toBe(NOON + 4999);
    expect(state.asked).toBe(1);
    pass(1);
    expect(time.known()).toBeNull();
    expect(await time.now()).toBe(NOON + 5000);
    expect(state.asked).toBe(2);
  },
);

test('a thousand that ask at once ask the store once, and again where the answer was an error', async () => {
  const { state, time, pass } = stage(NOON);
  const ask = () => Promise.allSettled(Array.from({ length: 1000 }, () => time.now()));
  await ask();
  expect(state.asked).toBe(1);
  pass(5000);
  state.whileAsked = () => {
    throw new RetryableError('down');
  };
  const refused = await ask();
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(state.asked).toBe(2);
  state.whileAsked = () => undefined;
  expect(await time.now()).toBe(NOON + 5000);
  expect(state.asked).toBe(3);
});

test('a store that never answers holds nobody up for longer than its time', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { time, state } = stage(NOON);
  state.hangs = true;
  const [asked] = await Promise.all([Promise.allSettled([time.now()]), vi.advanceTimersByTimeAsync(2000)]);
  expect(asked).toMatchObject([{ status: 'rejected', reason: expect.any(RetryableError) }]);
  state.hangs = false;
  expect(await time.now()).toBe(NOON);
});

describe.each([HOUR_MS, -HOUR_MS])('a jump of %i ms', (by) => {
  test('of the local clock, which may be the store’s, has the clocks compared again', async () => {
    const { state, time } = stage(NOON);
    await time.now();
    state.wallMs += by;
    state.storeMs += by;
    expect(time.known()).toBeNull();
    expect(await time.now()).toBe(NOON + by);
    expect(state.asked).toBe(2);
  });

  test('of the store’s clock alone is followed within 5 s', async () => {
    const { state, time, pass } = stage(NOON);
    await time.now();
    state.storeMs += by;
    pass(5000);
    expect(await time.now()).toBe(NOON + by + 5000);
  });

  test('while the store is asked makes it be asked again', async () => {
    const { state, time } = stage(NOON, () => {
      state.wallMs += by;
      state.whileAsked = () => undefined;
    });
    expect(await time.now()).toBe(NOON);
    expect(state.asked).toBe(2);
  });
});

test('a local clock that is slewed into its place does not have the store asked', async () => {
  const { state, time, pass } = stage(NOON);
  await time.now();
  for (let second = 0; second < 4; second += 1) {
    pass(1000);
    state.wallMs += 1;
    expect(time.known()).toBe(NOON + (second + 1) * 1000);
  }
});

test('a store that always takes too long to be asked fails as retryable', async () => {
  const { time, pass } = stage(NOON, () => pass(2001));
  await expect(time.now()).rejects.toThrow(RetryableError);
});
