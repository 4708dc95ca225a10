import { describe, expect, test } from 'vitest';

import { IDLE_MS } from '../../../../src/access/quota/allotment.ts';
import type { QuotaResult } from '../../../../src/access/quota/quota.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { driven } from '../fixture.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openQuotas);

describe('an allotment', () => {
  test('serves a place that asks all the time, 19 of 20 requests without the store, each told what is left', async () => {
    const { faults, quota, takeInTurn } = stage;
    const takes = await takeInTurn(quota, 900);
    expect(takes.map(({ remaining }) => remaining)).toEqual(takes.map((_, index) => 999 - index));
    expect(faults.documentsWritten['quota']).toBeLessThanOrEqual(48);
    expect(faults.documentsRead['quota'] ?? 0).toBe(0);
  });

  test('serves a place that asks once in 86 s as well: that is all that the day allows', async () => {
    const { faults, clock, quota } = stage;
    for (let count = 0; count < 100; count += 1) {
      clock.advance(86_000);
      expect(await driven(clock, quota.take(KEY, KEY))).toMatchObject({ granted: true });
    }
    expect(faults.documentsWritten['quota']).toBeLessThanOrEqual(10);
  });

  test('is not given to a place that asks for the first time: that is one write, and nothing to return', async () => {
    const { faults, idle, quota, taken } = stage;
    await quota.take(KEY, KEY);
    expect(await taken()).toBe(1);
    await idle();
    expect(faults.documentsWritten['quota']).toBe(1);
  });

  test('is not given at the end of the day: the last 100 requests are counted one by one', async () => {
    const { quota, takeInTurn, taken } = stage;
    await takeInTurn(quota, 900);
    for (let count = 901; count <= 1000; count += 1) {
      await takeInTurn(quota, 1);
      expect(await taken()).toBe(count);
    }
  });

  test('goes back when the places have been idle for an hour, of many of them in one write', async () => {
    const { clock, faults, idle, pass, quota, taken } = stage;
    const keys = Array.from({ length: 100 }, (_, index) => `k_${index}`);
    for (let count = 0; count < 3; count += 1) {
      await Promise.all(keys.map(async (key) => await quota.take(key, key)));
      clock.advance(1);
    }
    expect(await taken('k_7')).toBeGreaterThan(3);
    clock.advance(IDLE_MS - 10_000);
    await pass();
    const before = faults.calls['write'] ?? 0;
    await idle();
    expect(faults.calls['write']).toBe(before + 1);
    for (const key of keys) expect(await taken(key)).toBe(3);
  });

  test('of the place that asked longest ago goes back when more places have one than are remembered', async () => {
    const { clock, instance, pass, taken } = stage;
    const { quota } = instance({ remembered: 10 });
    const keys = Array.from({ length: 15 }, (_, index) => `k_${index}`);
    for (const key of [...keys, ...keys]) {
      clock.advance(1);
      if ((await taken(key)) < 2) await driven(clock, quota.take(key, key));
      await driven(clock, quota.take(key, key));
    }
    expect(await taken('k_0')).toBeGreaterThan(3);
    await pass();
    const held = await Promise.all(keys.map(async (key) => (await taken(key)) > 4));
    expect(held).toEqual(keys.map((_, index) => index >= 5));
  });

  test('takes nothing in while it is being returned: that goes to the store too', async () => {
    const { faults, idle, quota, takeInTurn, taken } = stage;
    const [take] = await takeInTurn(quota, 3);
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      void quota.giveBack(take as QuotaResult);
    };
    await idle();
    await idle();
    expect(await taken()).toBe(2);
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

describe('the last requests of a day', () => {
  test('are refused at once where nobody else has counted anything', async () => {
    const { clock, quota, takeMany } = stage;
    await takeMany(quota, 1000);
    const before = clock.time;
    expect(grantedOf(await takeMany(quota, 5))).toEqual([]);
    expect(clock.time).toBe(before);
  });

  test('are refused at once a while after others were called, and they had nothing', async () => {
    const { clock, instance, pass, quota, takeMany } = stage;
    const another = instance().quota;
    await takeMany(another, 400);
    await takeMany(quota, 600);
    expect(grantedOf(await takeMany(quota, 5))).toEqual([]);
    await pass(3000);
    const before = clock.time;
    expect(grantedOf(await takeMany(quota, 5))).toEqual([]);
    expect(clock.time).toBe(before);
  });

  test('are told exactly, once little is left: others give back what they hold before they are asked for it', async () => {
    const { instance, pass, quota, takeInTurn, taken, takeMany } = stage;
    const another = instance().quota;
    await takeInTurn(another, 30);
    expect(await taken()).toBeGreaterThan(30);
    await takeMany(quota, 900);
    await pass(1500);
    expect(await taken()).toBe(930);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true });
    const [next] = await takeInTurn(another, 1);
    expect(next).toMatchObject({ granted: true, remaining: 68 });
    expect(await taken()).toBe(932);
  });

  test('are given back by who was called while the store was giving them', async () => {
    const { faults, instance, pass, quota, takeInTurn, taken, takeMany } = stage;
    const another = instance().quota;
    // It holds something of another place, and so looks for calls.
    await takeInTurn(quota, 3, 'k_another');
    await takeMany(another, 600);
    await takeInTurn(quota, 1);
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      // Its share has been raised, and it does not know yet.
      expect(await taken()).toBeGreaterThan(602);
      await takeMany(another, 299);
      await pass(600);
    };
    await takeInTurn(quota, 1);
    await pass(1500);
    expect(await taken()).toBe(901);
  });

  test('are all granted beside an instance that is busy with requests that cost nothing', async () => {
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

  test('wait for a killed instance 1.5 s at most; what that one held is lost, and no more', async () => {
    const { clock, instance, quota, takeInTurn, taken, takeMany } = stage;
    const another = instance();
    const before = clock.time;
    expect(grantedOf(await takeInTurn(another.quota, 20))).toHaveLength(20);
    const lost = (await taken()) - 20;
    expect(lost).toBeGreaterThan(0);
    another.kill();
    expect(grantedOf(await takeMany(quota, 1000))).toHaveLength(980 - lost);
    expect(clock.time - before).toBeLessThan(1700);
    expect(grantedOf(await takeMany(instance().quota, 10))).toEqual([]);
  });

  test('are granted although the notice of the call could not be posted at first', async () => {
    const { clock, faults, instance, quota, takeInTurn, takeMany } = stage;
    const another = instance().quota;
    await takeInTurn(another, 9);
    await takeMany(quota, 800);
    faults.noticesToRefuse = 2;
    const asking = takeMany(quota, 200);
    expect(grantedOf(await driven(clock, asking))).toHaveLength(191);
  });
});
