import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createQuota, type Quota, type Take } from '../../../src/access/quota.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { faulty, manualClock, openFile, type Faults, type ManualClock } from './fixture.ts';

const KEY = 'k_0123456789';

let file: ReturnType<typeof openFile>;
let clock: ManualClock;
let quota: Quota;
let faults: Faults;
let quotas: Quota[];

beforeEach(async () => {
  file = openFile();
  clock = manualClock();
  quotas = [];
  ({ quota, faults } = instance());
  await quota.declare();
});

afterEach(async () => {
  for (const each of quotas) await each[Symbol.asyncDispose]();
  await file[Symbol.asyncDispose]();
});

/** One more process on the same store. Its own clock may be wrong by some milliseconds. */
function instance({ limit = 1000, wrongByMs = 0 } = {}): { readonly quota: Quota; readonly faults: Faults } {
  const { documents, faults: itsFaults } = faulty(file.client(clock));
  const local = { now: () => clock.time + wrongByMs, sleep: () => Promise.resolve() };
  const made = createQuota({ documents, clock: local, limit });
  quotas.push(made);
  return { quota: made, faults: itsFaults };
}

function takeMany(from: Quota, count: number, key = KEY): Promise<readonly Take[]> {
  return Promise.all(Array.from({ length: count }, () => from.take(key)));
}

function grantedOf(takes: readonly Take[]): readonly Take[] {
  return takes.filter(({ granted }) => granted);
}

async function used(key = KEY): Promise<number> {
  const probe = instance({ limit: 1_000_000 });
  const take = await probe.quota.take(key);
  return 1_000_000 - (await probe.quota.giveBack(take));
}

describe('taking', () => {
  test('a request is told what is left after it, and when the day ends', async () => {
    expect(await quota.take(KEY)).toEqual({ granted: true, limit: 1000, remaining: 999, resetS: 14 * 3600 });
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 998 });
  });

  test('requests that arrive together are told different numbers, in their order', async () => {
    const takes = await takeMany(quota, 5);
    expect(takes.map(({ remaining }) => remaining)).toEqual([999, 998, 997, 996, 995]);
  });

  test('the request after the last one is refused, and costs nothing', async () => {
    const takes = await takeMany(quota, 1002);
    expect(takes.map(({ granted }) => granted).lastIndexOf(true)).toBe(999);
    expect(takes.at(-1)).toEqual({ granted: false, limit: 1000, remaining: 0, resetS: 14 * 3600 });
    expect(await used()).toBe(1000);
  });

  test('each key has a quota of its own', async () => {
    await takeMany(quota, 1000);
    expect(await quota.take(KEY)).toMatchObject({ granted: false });
    expect(await quota.take('k_another')).toMatchObject({ granted: true, remaining: 999 });
  });

  test('20,000 parallel requests over 4 instances are granted exactly 1000 times, each counted once', async () => {
    const instances = [quota, instance().quota, instance().quota, instance().quota];
    const takes = (await Promise.all(instances.map((each) => takeMany(each, 5000)))).flat();
    const left = grantedOf(takes).map(({ remaining }) => remaining);
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 1000 }, (_, index) => 999 - index));
    expect(await used()).toBe(1000);
  });

  test('4 instances that answer one request after another share the day without losing one', async () => {
    const instances = [quota, instance().quota, instance().quota, instance().quota];
    const takes: Take[] = [];
    async function caller(from: Quota): Promise<void> {
      for (let count = 0; count < 40; count += 1) takes.push(await from.take(KEY));
    }
    await Promise.all(Array.from({ length: 32 }, (_, index) => caller(instances[index % 4] ?? quota)));
    const left = grantedOf(takes).map(({ remaining }) => remaining);
    expect(takes).toHaveLength(1280);
    expect(new Set(left).size).toBe(1000);
    expect(left).toHaveLength(1000);
  });

  test('requests that arrive together cost one read and one write, of however many keys', async () => {
    await quota.take(KEY);
    const before = { ...faults.calls };
    await Promise.all(Array.from({ length: 1000 }, (_, index) => quota.take(`k_${index % 100}`)));
    expect(faults.calls['get']).toBe((before['get'] ?? 0) + 1);
    expect(faults.calls['write']).toBe((before['write'] ?? 0) + 1);
    await Promise.all(Array.from({ length: 1000 }, (_, index) => quota.take(`k_${index % 100}`)));
    expect(faults.calls['get']).toBe((before['get'] ?? 0) + 1);
    expect(faults.calls['write']).toBe((before['write'] ?? 0) + 2);
  });

  test('a restart neither forgets nor repeats what was counted', async () => {
    await takeMany(quota, 700);
    const restarted = instance().quota;
    expect(grantedOf(await takeMany(restarted, 400))).toHaveLength(300);
  });
});

describe('giving back', () => {
  test('a request that is given back can be made again, on any instance', async () => {
    const takes = await takeMany(quota, 1000);
    const another = instance().quota;
    expect(await another.take(KEY)).toMatchObject({ granted: false });
    expect(await quota.giveBack(takes[7] as Take)).toBe(1);
    expect(await another.take(KEY)).toMatchObject({ granted: true, remaining: 0 });
    expect(await quota.take(KEY)).toMatchObject({ granted: false });
  });

  test('twice is once', async () => {
    const [take] = await takeMany(quota, 10);
    await Promise.all([quota.giveBack(take as Take), quota.giveBack(take as Take)]);
    expect(await quota.giveBack(take as Take)).toBe(991);
    expect(await used()).toBe(9);
  });

  test('a refused request has nothing to give back', async () => {
    const takes = await takeMany(quota, 1001);
    expect(await quota.giveBack(takes[1000] as Take)).toBe(0);
    expect(await used()).toBe(1000);
  });

  test('as many requests given back as made at the same time need no write', async () => {
    const take = await quota.take(KEY);
    const writes = faults.calls['write'];
    const [back, next] = await Promise.all([quota.giveBack(take), quota.take(KEY)]);
    expect([back, next]).toEqual([999, expect.objectContaining({ granted: true, remaining: 999 })]);
    expect(faults.calls['write']).toBe(writes);
    expect(await used()).toBe(1);
  });

  test('a day on which everything was given back keeps no trace of who counted', async () => {
    await quota.giveBack(await quota.take(KEY));
    const stored = await file.client().get('quota', [`2026-11-20/${KEY}`]);
    expect([...stored.values()][0]?.body).toEqual({ key: KEY, day: '2026-11-20', shares: {} });
  });
});

describe('the day', () => {
  test('a new day begins at 00:00 UTC by the store, however wrong the clocks of the instances are', async () => {
    const fast = instance({ wrongByMs: 3_600_000 }).quota;
    const slow = instance({ wrongByMs: -3_600_000 }).quota;
    clock.time = Date.parse('2026-11-20T23:59:59.001Z');
    expect(grantedOf(await takeMany(fast, 600))).toHaveLength(600);
    expect(grantedOf(await takeMany(slow, 600))).toHaveLength(400);
    expect(await slow.take(KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(998);
    expect(await fast.take(KEY)).toMatchObject({ granted: false, resetS: 1 });
    clock.advance(1);
    expect(await fast.take(KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 });
    expect(await slow.take(KEY)).toMatchObject({ granted: true, remaining: 998, resetS: 86_400 });
  });

  test('what is given back after midnight belongs to the day before', async () => {
    clock.time = Date.parse('2026-11-20T23:59:59Z');
    const takes = await takeMany(quota, 1000);
    clock.advance(2000);
    await takeMany(quota, 3);
    expect(await quota.giveBack(takes[0] as Take)).toBe(1);
    expect(await quota.take(KEY)).toMatchObject({ remaining: 996 });
  });

  test('an instance that is a moment behind after midnight still finds the old day full', async () => {
    const behind = instance().quota;
    clock.time = Date.parse('2026-11-20T23:59:59.999Z');
    await takeMany(quota, 1000);
    clock.advance(1);
    await quota.take(KEY);
    await quota[Symbol.asyncDispose]();
    clock.advance(-1);
    expect(await behind.take(KEY)).toMatchObject({ granted: false });
  });

  test('documents of the days before yesterday are removed when a day begins', async () => {
    for (let day = 0; day < 5; day += 1) {
      await quota.take(KEY);
      await quota.take('k_another');
      clock.advance(86_400_000);
    }
    await quota[Symbol.asyncDispose]();
    const days: string[] = [];
    for await (const batch of file.client().scan('quota')) days.push(...batch.map(({ id }) => id));
    expect(days).toEqual([
      `2026-11-23/${KEY}`,
      '2026-11-23/k_another',
      `2026-11-24/${KEY}`,
      '2026-11-24/k_another',
    ]);
  });

  test('the clocks are compared once in 5 s, not at every request', async () => {
    for (let step = 0; step < 20; step += 1) {
      await quota.take(KEY);
      clock.advance(500);
    }
    expect(faults.calls['now']).toBe(2);
  });
});

describe('with a failing store', () => {
  test('a store that is down fails as retryable, and counts nothing', async () => {
    faults.down = true;
    await expect(quota.take(KEY)).rejects.toThrow(RetryableError);
    faults.down = false;
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 999 });
  });

  test('a lost answer counts a request once', async () => {
    faults.answersToLose = 2;
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 999 });
    expect(await used()).toBe(1);
  });

  test('a lost answer counts a request once although another instance has written since', async () => {
    const another = instance().quota;
    faults.answersToLose = 1;
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      await another.take(KEY);
    };
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 998 });
    expect(await used()).toBe(2);
  });

  test('a request that failed after it was counted is taken off with the next one', async () => {
    faults.answersToLose = 3;
    await expect(quota.take(KEY)).rejects.toThrow(RetryableError);
    expect(await used()).toBe(1);
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 999 });
    expect(await used()).toBe(1);
  });

  test('what could not be given back is given back with the next request, once', async () => {
    const takes = await takeMany(quota, 10);
    faults.down = true;
    await expect(quota.giveBack(takes[0] as Take)).rejects.toThrow(RetryableError);
    await expect(quota.giveBack(takes[0] as Take)).rejects.toThrow(RetryableError);
    faults.down = false;
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 990 });
    expect(await used()).toBe(10);
  });

  test('a give back whose answer was lost is not given back again', async () => {
    const takes = await takeMany(quota, 10);
    faults.answersToLose = 3;
    await expect(quota.giveBack(takes[0] as Take)).rejects.toThrow(RetryableError);
    expect(await quota.take(KEY)).toMatchObject({ granted: true, remaining: 990 });
    expect(await used()).toBe(10);
  });
});
