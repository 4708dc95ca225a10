import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { DAYS } from '../../../../src/access/quota/ended-days.ts';
import { createQuota, type QuotaResult } from '../../../../src/access/quota/quota.ts';
import { changeDocument } from '../../../../src/stores/documents/change-document.ts';
import { overriding } from '../../../support/overriding.ts';
import { driven, morningClock, openFile } from '../fixture.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openQuotas);

describe('the day', () => {
  test('a new day begins at 00:00 UTC by the store, however wrong the clocks of the instances are', async () => {
    const { clock, instance, takeMany } = stage;
    const fast = instance({ wrongByMs: 3_600_000 }).quota;
    const slow = instance({ wrongByMs: -3_600_000 }).quota;
    clock.time = Date.parse('2026-11-20T23:59:50.001Z');
    expect(grantedOf(await takeMany(fast, 600))).toHaveLength(600);
    expect(grantedOf(await takeMany(slow, 600))).toHaveLength(400);
    expect(grantedOf(await takeMany(fast, 1))).toHaveLength(0);
    clock.time = Date.parse('2026-11-20T23:59:59.001Z');
    expect(await slow.take(KEY, KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(998);
    expect(await fast.take(KEY, KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(1);
    expect(await fast.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 });
    expect(await slow.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 998, resetS: 86_400 });
  });

  test('a request that was counted just before the process stood still is counted on the day it is granted', async () => {
    const { clock, faults, quota, taken } = stage;
    clock.time = Date.parse('2026-11-20T23:59:59Z');
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      clock.advance(600_000);
    };
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 - 599 });
    expect(await taken(KEY, '2026-11-21')).toBe(1);
  });

  test('a local clock that jumps by an hour changes no day', async () => {
    const { clock, idle, instance, takeInTurn, taken } = stage;
    const jumping = instance();
    clock.time = Date.parse('2026-11-20T23:30:00Z');
    await takeInTurn(jumping.quota, 5);
    for (const wrongByMs of [3_600_000, -3_600_000, 0]) {
      jumping.life.wrongByMs = wrongByMs;
      expect(await jumping.quota.take(KEY, KEY)).toMatchObject({ granted: true, resetS: 1800 });
    }
    await idle();
    expect(await taken()).toBe(8);
  });

  test('what is held of a day goes back once another one has begun', async () => {
    const { clock, pass, quota, taken, takeInTurn } = stage;
    clock.advance(Date.parse('2026-11-20T23:59:50Z') - clock.time);
    await takeInTurn(quota, 3);
    expect(await taken()).toBeGreaterThan(3);
    clock.advance(20_000);
    await takeInTurn(quota, 2, 'other/1');
    await pass(2000);
    expect(await taken()).toBe(3);
  });

  test('an instance that is a moment behind after midnight still finds the old day full', async () => {
    const { clock, instance, quota, takeMany } = stage;
    const behind = instance().quota;
    clock.time = Date.parse('2026-11-20T23:59:59.999Z');
    await takeMany(quota, 1000);
    clock.advance(1);
    await quota.take(KEY, KEY);
    await quota[Symbol.asyncDispose]();
    clock.advance(-2000);
    expect(await driven(clock, behind.take(KEY, KEY))).toMatchObject({ granted: false });
  });

  test('the counts of the 35 newest days are kept', async () => {
    const { clock, quota, storedDays } = stage;
    for (let day = 0; day < 37; day += 1) {
      await quota.take(KEY, KEY);
      if (day < 5) await quota.take('k_another', 'k_another');
      clock.advance(86_400_000);
    }
    await quota[Symbol.asyncDispose]();
    const days = await storedDays();
    expect(days.filter((id) => id.endsWith('k_another'))).toHaveLength(3);
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
      expect(await driven(clock, instance().quota.take(KEY, KEY))).toMatchObject({ granted: false });
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
    expect(await again.take('k_another', 'k_another')).toMatchObject({ granted: false, remaining: 0 });
    await again.giveBack(given as QuotaResult);
    expect(await again.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await storedDays()).not.toContain(`2026-11-20/${KEY}`);
  });

  test('a day that is over begins again where days are taken out of the list', async () => {
    const { clock, file, pass, quota, takeMany } = stage;
    clock.advance(36 * 86_400_000);
    for (let day = 0; day < 36; day += 1) {
      await takeMany(quota, 1);
      clock.time -= 86_400_000;
    }
    clock.advance(3_600_000);
    expect(await takeMany(quota, 1)).toMatchObject([{ granted: false }]);
    const documents = file.client();
    await changeDocument(documents, 'quota-days', 'counted', () => ({ days: [] }));
    await pass(65_000);
    expect(await takeMany(quota, 1)).toMatchObject([{ granted: true }]);
  });

  test('a store’s clock that is set back keeps nobody waiting for what was held before', async () => {
    const { clock, idle, instance, quota, takeInTurn, taken, takeMany } = stage;
    const busy = instance().quota;
    await takeInTurn(busy, 30);
    expect(await taken()).toBeGreaterThan(30);
    clock.time -= 3_600_000;
    await idle();
    expect(await taken()).toBe(30);
    await takeMany(quota, 970);
    const before = clock.monotonic();
    expect(await driven(clock, quota.take(KEY, KEY))).toMatchObject({ granted: false });
    expect(clock.monotonic() - before).toBeLessThan(1600);
  });
});

test('a process that ends waits for the removal of old days that its last request has begun', async () => {
  await using file = openFile();
  const clock = morningClock();
  const store = file.client(clock);
  const begun = Promise.withResolvers<void>();
  const steps: string[] = [];
  const documents = overriding(store, {
    write: async (collection, writes) => {
      if (collection === DAYS.name) await begun.promise;
      return await store.write(collection, writes);
    },
    scan: async function* <Body>(collection: string) {
      await pause(50);
      steps.push('removal');
      yield* store.scan<Body>(collection);
    },
  });
  const quota = createQuota({ documents, clock });
  await quota.declare();
  const take = quota.take(KEY, KEY);
  await pause(20);
  const closing = quota[Symbol.asyncDispose]();
  begun.resolve();
  await Promise.all([take, closing]);
  steps.push('closed');
  await pause(100);
  expect(steps).toEqual(['removal', 'closed']);
});
