import { describe, expect, test } from 'vitest';

import type { QuotaDay } from '../../../../src/access/quota/quota-day-document.ts';
import type { QuotaResult } from '../../../../src/access/quota/quota.ts';
import { driven } from '../fixture.ts';
import { grantedOf, KEY, openQuotas } from './stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openQuotas);

describe('taking', () => {
  test('a request is told what is left after it, and when the day ends', async () => {
    const { quota } = stage;
    expect(await quota.take(KEY, KEY)).toMatchObject({
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
});

test('each write of a day gives it a version that no other one has: a name of the process, and a number', async () => {
  const { file, instance, quota } = stage;
  const store = file.client();
  const versions: string[] = [];
  for (const each of [quota, quota, instance().quota]) {
    await each.take(KEY, KEY);
    const version = (await store.versions('quota', [`2026-11-20/${KEY}`])).get(`2026-11-20/${KEY}`);
    versions.push(String(version));
  }
  const [first, second, third] = versions;
  expect(versions.map((version) => /^[0-9a-f]{12}\/\d+$/.test(version))).toEqual([true, true, true]);
  expect(new Set([first, second, third]).size).toBe(3);
  expect(second?.split('/')[0]).toBe(first?.split('/')[0]);
  expect(third?.split('/')[0]).not.toBe(first?.split('/')[0]);
});

describe('a day that is full', () => {
  test('says of each key what it was granted, and nothing of what was refused', async () => {
    const { clock, file, quota } = stage;
    const asking = Array.from({ length: 1200 }, (_, index) => (index % 3 === 0 ? 'k_third' : 'k_other'));
    const takes = await driven(clock, Promise.all(asking.map((keyId) => quota.take(KEY, keyId))));
    const granted = (key: string) =>
      takes.filter((take, index) => take.granted && asking[index] === key).length;
    const stored = await file.client().get<QuotaDay>('quota', [`2026-11-20/${KEY}`]);
    const [uses = {}] = Object.values(stored.get(`2026-11-20/${KEY}`)?.body.uses ?? {});
    const said = Object.fromEntries(Object.entries(uses).map(([key, [requests]]) => [key, requests]));
    expect(said).toEqual({ k_third: granted('k_third'), k_other: granted('k_other') });
  });

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

  test('has room at once for what this instance gives back itself', async () => {
    const { quota, takeMany } = stage;
    const takes = await takeMany(quota, 1001);
    await quota.giveBack(takes[7] as QuotaResult);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 0 });
  });
});

describe('giving back', () => {
  test('a request that is given back can be made again, on any instance, within a second', async () => {
    const { clock, instance, quota, takeMany, pass } = stage;
    const takes = await takeMany(quota, 1000);
    const another = instance().quota;
    expect(await driven(clock, another.take(KEY, KEY))).toMatchObject({ granted: false });
    expect(await quota.giveBack(takes[7] as QuotaResult)).toBe(1);
    await pass(1000);
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 0 });
    expect(await driven(clock, quota.take(KEY, KEY))).toMatchObject({ granted: false });
  });

  test('a refused request has nothing to give back', async () => {
    const { quota, taken, takeMany } = stage;
    const takes = await takeMany(quota, 1001);
    expect(await quota.giveBack(takes[1000] as QuotaResult)).toBe(0);
    expect(await taken()).toBe(1000);
  });

  test('requests that are all given back cost the store next to nothing, and the day nothing', async () => {
    const { faults, idle, quota, takeInTurn, taken } = stage;
    await takeInTurn(quota, 1);
    const before = faults.documentsWritten['quota'] ?? 0;
    for (let count = 0; count < 2000; count += 1) {
      const [take] = await takeInTurn(quota, 1);
      expect(take).toMatchObject({ granted: true, remaining: 998 });
      expect(await quota.giveBack(take as QuotaResult)).toBe(999);
    }
    expect((faults.documentsWritten['quota'] ?? 0) - before).toBeLessThanOrEqual(1);
    await idle();
    expect(await taken()).toBe(1);
  });
});
