import { describe, expect, test } from 'vitest';

import type { Take } from '../../../../src/access/quota/quota.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';

const stage = forEachTest(openQuotas);

describe('taking', () => {
  test('a request is told what is left after it, and when the day ends', async () => {
    const { quota } = stage;
    expect(await quota.take(KEY, KEY)).toEqual({
      granted: true,
      limit: 1000,
      remaining: 999,
      resetS: 14 * 3600,
    });
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 998 });
  });

  test('the request after the last one is refused, and costs nothing', async () => {
    const { quota, taken, takeMany } = stage;
    const takes = await takeMany(quota, 1002);
    expect(takes.map(({ granted }) => granted).lastIndexOf(true)).toBe(999);
    expect(takes.at(-1)).toEqual({ granted: false, limit: 1000, remaining: 0, resetS: 14 * 3600 });
    expect(await taken()).toBe(1000);
  });

  test('20,000 parallel requests over 4 instances are granted exactly 1000 times', async () => {
    const { instance, quota, taken, takeMany } = stage;
    const instances = [quota, instance().quota, instance().quota, instance().quota];
    const takes = (await Promise.all(instances.map((each) => takeMany(each, 5000)))).flat();
    expect(grantedOf(takes)).toHaveLength(1000);
    expect(await taken()).toBe(1000);
  });

  test('a restart neither forgets nor repeats what was counted', async () => {
    const { instance, quota, takeMany } = stage;
    await takeMany(quota, 700);
    const restarted = instance().quota;
    expect(grantedOf(await takeMany(restarted, 400))).toHaveLength(300);
  });
});

describe('a day that is full', () => {
  test('is asked for once a second, however many requests come', async () => {
    const { quota, faults, takeMany, pass } = stage;
    await takeMany(quota, 1001);
    const { get = 0, write = 0 } = faults.calls;
    for (let request = 0; request < 50; request += 1) {
      expect(await quota.take(KEY, KEY)).toMatchObject({ granted: false, remaining: 0, resetS: 50_400 });
    }
    expect(faults.calls).toMatchObject({ get, write });
    await pass(1000);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(faults.calls).toMatchObject({ get: get + 1, write });
  });
});

describe('giving back', () => {
  test('a request that is given back can be made again, on any instance, within a second', async () => {
    const { instance, quota, takeMany, pass } = stage;
    const takes = await takeMany(quota, 1000);
    const another = instance().quota;
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await quota.giveBack(takes[7] as Take)).toBe(1);
    await pass(1000);
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 0 });
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: false });
  });
});
