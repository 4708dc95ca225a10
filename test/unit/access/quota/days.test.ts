import { describe, expect, test } from 'vitest';

import type { Take } from '../../../../src/access/quota/quota.ts';
import { driven } from '../fixture.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';

const stage = forEachTest(openQuotas);

describe('the day', () => {
  test('a new day begins at 00:00 UTC by the store, however wrong the clocks of the instances are', async () => {
    const { clock, instance, takeMany } = stage;
    const fast = instance({ wrongByMs: 3_600_000 }).quota;
    const slow = instance({ wrongByMs: -3_600_000 }).quota;
    clock.time = Date.parse('2026-11-20T23:59:50.001Z');
    expect(grantedOf(await takeMany(fast, 600))).toHaveLength(600);
    expect(grantedOf(await takeMany(slow, 600))).toHaveLength(400);
    clock.time = Date.parse('2026-11-20T23:59:59.001Z');
    expect(await slow.take(KEY, KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(998);
    expect(await fast.take(KEY, KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(1);
    expect(await fast.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 });
    expect(await slow.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 998, resetS: 86_400 });
  });

  test('a process that stood still over midnight grants nothing of the day before', async () => {
    const { clock, quota, takeInTurn, taken } = stage;
    clock.time = Date.parse('2026-11-20T23:59:00Z');
    await takeInTurn(quota, 5);
    clock.advance(600_000);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
    expect(await taken(KEY, '2026-11-21')).toBe(1);
  });

  test('of each place the 35 newest days are kept', async () => {
    const { clock, quota, storedDays } = stage;
    for (let day = 0; day < 37; day += 1) {
      await quota.take(KEY, KEY);
      if (day < 5) await quota.take('k_another', 'k_another');
      clock.advance(86_400_000);
    }
    await quota[Symbol.asyncDispose]();
    const days = await storedDays();
    expect(days.filter((id) => id.endsWith('k_another'))).toHaveLength(5);
    const ours = days.filter((id) => id.endsWith(KEY));
    expect([ours.length, ours[0], ours.at(-1)]).toEqual([35, `2026-11-22/${KEY}`, `2026-12-26/${KEY}`]);
  });

  test.each([2, 20])(
    'a used-up day is used up after the store’s clock was %i days ahead for a while, with requests',
    async (days) => {
      const { clock, instance, quota, takeMany } = stage;
      await takeMany(quota, 1000);
      await quota[Symbol.asyncDispose]();
      for (let day = 0; day < days; day += 1) {
        clock.advance(86_400_000);
        const { quota: later } = instance();
        expect(await later.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
        await driven(clock, later[Symbol.asyncDispose]());
      }
      clock.time -= days * 86_400_000;
      expect(await instance().quota.take(KEY, KEY)).toMatchObject({ granted: false });
    },
  );

  test('a day whose document was removed for newer ones is over: nothing is counted on it again', async () => {
    const { clock, instance, quota, storedDays, takeMany } = stage;
    const [given] = await takeMany(quota, 1000);
    for (let day = 0; day < 36; day += 1) {
      clock.advance(86_400_000);
      await quota.take(KEY, KEY);
    }
    await quota[Symbol.asyncDispose]();
    expect(await storedDays()).not.toContain(`2026-11-20/${KEY}`);
    clock.time -= 36 * 86_400_000;
    const { quota: again } = instance();
    expect(await again.take(KEY, KEY)).toMatchObject({ granted: false, remaining: 0 });
    expect(await again.take('k_another', 'k_another')).toMatchObject({ granted: true });
    await again.giveBack(given as Take);
    expect(await again.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await storedDays()).not.toContain(`2026-11-20/${KEY}`);
  });

  test('a store’s clock that is set back keeps nobody waiting for what was held before', async () => {
    const { clock, instance, pass, quota, takeInTurn, taken, takeMany } = stage;
    const busy = instance().quota;
    await takeInTurn(busy, 30);
    expect(await taken()).toBeGreaterThan(30);
    clock.time -= 3_600_000;
    await pass();
    expect(await taken()).toBe(30);
    await takeMany(quota, 970);
    const before = clock.monotonic();
    expect(await driven(clock, quota.take(KEY, KEY))).toMatchObject({ granted: false });
    expect(clock.monotonic() - before).toBeLessThan(1600);
  });
});
