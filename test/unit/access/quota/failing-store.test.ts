import { describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import type { QuotaResult } from '../../../../src/access/quota/quota.ts';
import { driven } from '../fixture.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openQuotas);

describe('with a failing store', () => {
  test('a store that is down fails as retryable, and counts nothing', async () => {
    const { faults, quota } = stage;
    faults.down = true;
    await expect(quota.take(KEY, KEY)).rejects.toThrow(RetryableError);
    faults.down = false;
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
  });

  test('a request that failed after it was counted is taken off when the store is up again', async () => {
    const { faults, pass, quota, taken, takeMany } = stage;
    faults.answersToLose = 3;
    await expect(takeMany(quota, 1)).rejects.toThrow(RetryableError);
    faults.down = true;
    await pass(5000);
    expect(await taken()).toBe(1);
    faults.down = false;
    await pass(2000);
    expect(await taken()).toBe(0);
  });

  test('what could not be given back is given back when the store is up again, once', async () => {
    const { clock, faults, pass, quota, taken, takeMany } = stage;
    const takes = await takeMany(quota, 1000);
    faults.down = true;
    await expect(driven(clock, quota.giveBack(takes[0] as QuotaResult))).rejects.toThrow(RetryableError);
    await expect(driven(clock, quota.giveBack(takes[0] as QuotaResult))).rejects.toThrow(RetryableError);
    faults.down = false;
    await pass();
    expect(await taken()).toBe(999);
  });

  test('an instance that ends returns all that it holds, in as many writes as that takes', async () => {
    const { clock, instance, pass, taken, takeInTurn } = stage;
    const { quota } = instance();
    const places = Array.from({ length: 450 }, (_, place) => `many/${place}`);
    for (const round of [1, 2]) {
      await driven(clock, Promise.all(places.map((place) => quota.take(place, place))));
      await pass(1000 * round);
    }
    expect(await taken('many/449')).toBeGreaterThan(2);
    await driven(clock, quota[Symbol.asyncDispose]());
    expect(await Promise.all(places.map((place) => taken(place)))).toEqual(places.map(() => 2));
    await takeInTurn(stage.quota, 1, 'many/449');
  });

  test('a counter that was forgotten writes nothing over what its successor has counted', async () => {
    const { clock, idle, instance, pass, taken, takeInTurn, takeMany } = stage;
    const [one, another] = [instance({ limit: 200, remembered: 2 }), instance({ limit: 200 })];
    const given = await takeMany(another.quota, 100);
    await takeInTurn(one.quota, 2, 'other/9');
    expect(grantedOf(await takeMany(one.quota, 101))).toHaveLength(100);
    for (let place = 1; place <= 8; place += 1) await takeMany(one.quota, 1, `other/${place}`);
    for (const take of given.slice(0, 50)) await driven(clock, another.quota.giveBack(take));
    await pass();
    expect(grantedOf(await takeMany(one.quota, 40))).toHaveLength(40);
    // What is idle is returned meanwhile, together.
    one.faults.answersToLose = 3;
    await idle();
    expect(one.faults.answersToLose).toBe(0);
    expect(await taken()).toBe(190);
  });

  test('a full day is refused by a store that is slow, too', async () => {
    const { clock, faults, quota, takeMany } = stage;
    await takeMany(quota, 1000);
    clock.advance(1500);
    Object.defineProperty(faults, 'hang', { get: () => clock.sleep(1100) });
    expect(await takeMany(quota, 1)).toMatchObject([{ granted: false }]);
  });

  test('a store that is silent does not keep a process from ending', async () => {
    const { clock, faults, quota, takeInTurn } = stage;
    await takeInTurn(quota, 5);
    const before = clock.time;
    faults.hang = new Promise(() => undefined);
    await driven(clock, quota[Symbol.asyncDispose]());
    expect(clock.time - before).toBeLessThanOrEqual(2000);
  });
});
