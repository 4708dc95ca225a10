import { expect, test } from 'vitest';

import { createStoreTime } from '../../../src/access/store-time.ts';
import { RetryableError } from '../../../src/platform/errors.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;

/** A store at noon, and a local clock that a test sets. `whileAsked` happens between question and answer. */
function stage(localMs: number, whileAsked: () => void = () => undefined) {
  const state = { localMs, storeMs: NOON, asked: 0, whileAsked };
  const time = createStoreTime(
    {
      now: async () => {
        state.asked += 1;
        const told = state.storeMs;
        state.whileAsked();
        return told;
      },
    },
    { now: () => state.localMs, monotonic: () => state.localMs, sleep: () => Promise.resolve() },
  );
  return { state, time };
}

test.each([-HOUR_MS, 0, HOUR_MS])(
  'a local clock that is wrong by %i ms tells the store’s time',
  async (by) => {
    const { state, time } = stage(NOON + by);
    expect(time.known()).toBeNull();
    expect(await time.now()).toBe(NOON);
    state.localMs += 4999;
    expect(time.known()).toBe(NOON + 4999);
    expect(state.asked).toBe(1);
  },
);

test.each([5000, HOUR_MS, -1])(
  'after a step of %i ms of the local clock the clocks are compared anew',
  async (by) => {
    const { state, time } = stage(NOON);
    await time.now();
    state.localMs += by;
    expect(time.known()).toBeNull();
    expect(await time.now()).toBe(NOON);
    expect(state.asked).toBe(2);
  },
);

test.each([HOUR_MS, -HOUR_MS])(
  'a step of %i ms while the store is asked makes it be asked again',
  async (by) => {
    const { state, time } = stage(NOON, () => {
      state.localMs += by;
      state.whileAsked = () => undefined;
    });
    expect(await time.now()).toBe(NOON);
    expect(state.asked).toBe(2);
  },
);

test('a store that always takes too long to be asked fails as retryable', async () => {
  const { state, time } = stage(NOON, () => {
    state.localMs += 2001;
  });
  await expect(time.now()).rejects.toThrow(RetryableError);
});
