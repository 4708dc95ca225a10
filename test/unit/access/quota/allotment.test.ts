import { describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { driven } from '../fixture.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';

const stage = forEachTest(openQuotas);

describe('an allotment', () => {
  test('serves requests that come quickly, nine in ten without the store, each told what is left', async () => {
    const { faults, quota, takeInTurn } = stage;
    const takes = await takeInTurn(quota, 950);
    expect(takes.map(({ remaining }) => remaining)).toEqual(takes.map((_, index) => 999 - index));
    expect(faults.calls['write']).toBeLessThanOrEqual(95);
    expect(faults.calls['get']).toBe(1);
  });

  test('goes back when the key has been idle for 2 s, of all keys in one write', async () => {
    const { clock, faults, pass, quota, taken } = stage;
    const keys = Array.from({ length: 100 }, (_, index) => `k_${index}`);
    for (let count = 0; count < 3; count += 1) {
      await Promise.all(keys.map(async (key) => await quota.take(key, key)));
      clock.advance(1);
    }
    expect(await taken('k_7')).toBeGreaterThan(3);
    const before = faults.calls['write'] ?? 0;
    await pass(2000);
    expect(faults.calls['write']).toBe(before + 1);
    for (const key of keys) expect(await taken(key)).toBe(3);
  });

  test('goes back when the process ends', async () => {
    const { quota, takeInTurn, taken } = stage;
    await takeInTurn(quota, 5);
    expect(await taken()).toBeGreaterThan(5);
    await quota[Symbol.asyncDispose]();
    expect(await taken()).toBe(5);
  });

  test('needs no store while it lasts', async () => {
    const { faults, quota, takeInTurn, taken, takeMany } = stage;
    await takeInTurn(quota, 2);
    faults.down = true;
    const held = (await taken()) - 2;
    expect(held).toBeGreaterThan(0);
    expect(grantedOf(await takeInTurn(quota, held))).toHaveLength(held);
    await expect(takeMany(quota, 1)).rejects.toThrow(RetryableError);
  });
});

describe('the last request of a day', () => {
  test('waits for what another instance still holds, and is granted it', async () => {
    const { clock, instance, quota, takeInTurn, taken, takeMany } = stage;
    const another = instance().quota;
    await takeInTurn(another, 2);
    expect(await taken()).toBe(12);
    const before = clock.time;
    expect(grantedOf(await takeMany(quota, 1000))).toHaveLength(998);
    expect(clock.time - before).toBeLessThan(1500);
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await taken()).toBe(1000);
  });

  test('is not kept from it by an instance that is busy with requests that cost nothing', async () => {
    const { clock, instance, pass, quota, takeMany } = stage;
    const another = instance().quota;
    let isOver = false;
    async function poll(): Promise<void> {
      while (!isOver) {
        const take = await another.take(KEY, KEY);
        if (take.granted) await another.giveBack(take);
        await clock.sleep(310);
      }
    }
    const polling = poll();
    await pass(1000);
    const takes = await takeMany(quota, 1001);
    isOver = true;
    await driven(clock, polling);
    expect(grantedOf(takes)).toHaveLength(1000);
  });

  test('waits for a killed instance 1.5 s at most; what that one held is lost, and no more', async () => {
    const { clock, instance, quota, takeInTurn, taken, takeMany } = stage;
    const another = instance();
    const before = clock.time;
    expect(grantedOf(await takeInTurn(another.quota, 20))).toHaveLength(20);
    const lost = (await taken()) - 20;
    expect(lost).toBeGreaterThan(0);
    another.kill();
    expect(grantedOf(await takeMany(quota, 1000))).toHaveLength(980 - lost);
    expect(clock.time - before).toBeLessThan(1600);
    expect(grantedOf(await takeMany(instance().quota, 10))).toEqual([]);
  });
});
