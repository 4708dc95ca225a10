import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createQuota, type Quota, type Take } from '../../../../src/access/quota/quota.ts';
import type { QuotaDay } from '../../../../src/access/quota/counter.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { createMetrics } from '../../../../src/platform/metrics.ts';
import { driven, faulty, manualClock, openFile, passing, type Faults, type ManualClock } from '../fixture.ts';

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
  for (const each of quotas) await driven(clock, each[Symbol.asyncDispose]());
  await file[Symbol.asyncDispose]();
});

/** One more process on the same store. Its own clock may be wrong. */
function instance({ limit = 1000, wrongByMs = 0 } = {}) {
  const { documents, faults: itsFaults } = faulty(file.client(clock));
  const life = { wrongByMs, isKilled: false };
  const local: Clock = {
    now: () => clock.time + life.wrongByMs,
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => (life.isKilled ? new Promise(() => undefined) : clock.sleep(ms, signal)),
  };
  const made = createQuota({ documents, clock: local, limit });
  quotas.push(made);
  const kill = (): void => {
    life.isKilled = true;
    itsFaults.down = true;
    quotas = quotas.filter((each) => each !== made);
  };
  return { quota: made, faults: itsFaults, life, kill };
}

function takeMany(from: Quota, count: number, key = KEY): Promise<readonly Take[]> {
  return driven(clock, Promise.all(Array.from({ length: count }, () => from.take(key, key))));
}

/** One after another, a millisecond apart. */
async function takeInTurn(from: Quota, count: number, key = KEY): Promise<readonly Take[]> {
  const takes: Take[] = [];
  while (takes.length < count) {
    clock.advance(1);
    takes.push(await driven(clock, from.take(key, key)));
  }
  return takes;
}

function grantedOf(takes: readonly Take[]): readonly Take[] {
  return takes.filter(({ granted }) => granted);
}

/** What the store counts as taken of a day: granted, or held unspent by somebody. */
async function taken(key = KEY, day = '2026-11-20'): Promise<number> {
  const documents = await file.client().get<QuotaDay>('quota', [`${day}/${key}`]);
  const shares = Object.values(documents.get(`${day}/${key}`)?.body.shares ?? {});
  return shares.reduce((sum, share) => sum + share, 0);
}

/** Lets so much time pass that everybody has returned what they do not use. */
async function pass(ms = 2000): Promise<void> {
  await passing(clock, ms);
}

describe('taking', () => {
  test('a request is told what is left after it, and when the day ends', async () => {
    expect(await quota.take(KEY, KEY)).toEqual({
      granted: true,
      limit: 1000,
      remaining: 999,
      resetS: 14 * 3600,
    });
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 998 });
  });

  test('requests that arrive together are told different numbers, in their order', async () => {
    const takes = await takeMany(quota, 5);
    expect(takes.map(({ remaining }) => remaining)).toEqual([999, 998, 997, 996, 995]);
  });

  test('the request after the last one is refused, and costs nothing', async () => {
    const takes = await takeMany(quota, 1002);
    expect(takes.map(({ granted }) => granted).lastIndexOf(true)).toBe(999);
    expect(takes.at(-1)).toEqual({ granted: false, limit: 1000, remaining: 0, resetS: 14 * 3600 });
    expect(await taken()).toBe(1000);
  });

  test('each key has a quota of its own', async () => {
    await takeMany(quota, 1000);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await quota.take('k_another', 'k_another')).toMatchObject({ granted: true, remaining: 999 });
  });

  test('20,000 parallel requests over 4 instances are granted exactly 1000 times', async () => {
    const instances = [quota, instance().quota, instance().quota, instance().quota];
    const takes = (await Promise.all(instances.map((each) => takeMany(each, 5000)))).flat();
    expect(grantedOf(takes)).toHaveLength(1000);
    expect(await taken()).toBe(1000);
  });

  test('4 instances that answer one request after another share the day without losing one', async () => {
    const instances = [quota, instance().quota, instance().quota, instance().quota];
    const takes: Take[] = [];
    async function caller(from: Quota): Promise<void> {
      for (let count = 0; count < 40; count += 1) takes.push(await from.take(KEY, KEY));
    }
    const callers = Array.from({ length: 32 }, (_, index) => caller(instances[index % 4] ?? quota));
    await driven(clock, Promise.all(callers));
    expect(takes).toHaveLength(1280);
    expect(grantedOf(takes)).toHaveLength(1000);
    expect(await taken()).toBe(1000);
  });

  test('requests that arrive together cost one read and one write, of however many keys', async () => {
    await quota.take(KEY, KEY);
    const before = { ...faults.calls };
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => quota.take(`k_${index % 100}`, `k_${index % 100}`)),
    );
    expect(faults.calls['get']).toBe((before['get'] ?? 0) + 1);
    expect(faults.calls['write']).toBe((before['write'] ?? 0) + 1);
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) => quota.take(`k_${index % 100}`, `k_${index % 100}`)),
    );
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
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await quota.giveBack(takes[7] as Take)).toBe(1);
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 0 });
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: false });
  });

  test('twice is once', async () => {
    const [take] = await takeMany(quota, 10);
    await Promise.all([quota.giveBack(take as Take), quota.giveBack(take as Take)]);
    expect(await quota.giveBack(take as Take)).toBe(991);
    await pass();
    expect(await taken()).toBe(9);
  });

  test('a refused request has nothing to give back', async () => {
    const takes = await takeMany(quota, 1001);
    expect(await quota.giveBack(takes[1000] as Take)).toBe(0);
    expect(await taken()).toBe(1000);
  });

  test('requests that are all given back cost the store next to nothing, and the day nothing', async () => {
    await takeInTurn(quota, 1);
    const before = faults.calls['write'] ?? 0;
    for (let count = 0; count < 2000; count += 1) {
      const [take] = await takeInTurn(quota, 1);
      expect(take).toMatchObject({ granted: true, remaining: 998 });
      expect(await quota.giveBack(take as Take)).toBe(999);
    }
    // In 2 s: the first one, and then to say once in a while that there is still something held.
    expect((faults.calls['write'] ?? 0) - before).toBeLessThanOrEqual(5);
    await pass();
    expect(await taken()).toBe(1);
  });

  test('what is given back beyond the largest allotment goes to the store at once', async () => {
    const takes = await takeMany(quota, 30);
    await driven(clock, Promise.all(takes.map((take) => quota.giveBack(take))));
    expect(await taken()).toBe(10);
  });

  test('what is given back so late that others would soon wait no longer goes to the store at once', async () => {
    const take = await quota.take(KEY, KEY);
    await pass(1000);
    await quota.giveBack(take);
    expect(await taken()).toBe(0);
  });

  test('a day on which everything was given back keeps no trace of who counted', async () => {
    await quota.giveBack(await quota.take(KEY, KEY));
    await pass();
    const stored = await file.client().get('quota', [`2026-11-20/${KEY}`]);
    expect([...stored.values()][0]?.body).toEqual({
      place: KEY,
      day: '2026-11-20',
      shares: {},
      used: { [KEY]: 10 },
    });
  });
});

describe('an allotment', () => {
  test('serves requests that come quickly, nine in ten without the store, each told what is left', async () => {
    const takes = await takeInTurn(quota, 950);
    expect(takes.map(({ remaining }) => remaining)).toEqual(takes.map((_, index) => 999 - index));
    expect(faults.calls['write']).toBeLessThanOrEqual(95);
    expect(faults.calls['get']).toBe(1);
  });

  test('is never larger than 10', async () => {
    for (let count = 1; count <= 500; count += 1) {
      await takeInTurn(quota, 1);
      expect((await taken()) - count).toBeLessThanOrEqual(10);
    }
  });

  test('is not given to a caller who comes rarely', async () => {
    for (let count = 1; count <= 10; count += 1) {
      await quota.take(KEY, KEY);
      expect(await taken()).toBe(count);
      await pass(2000);
    }
  });

  test('is not given at the end of the day: the last 50 requests are counted one by one', async () => {
    await takeInTurn(quota, 950);
    for (let count = 951; count <= 1000; count += 1) {
      await takeInTurn(quota, 1);
      expect(await taken()).toBe(count);
    }
  });

  test('goes back when the key has been idle for 2 s, of all keys in one write', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `k_${index}`);
    for (let count = 0; count < 3; count += 1) {
      await Promise.all(keys.map((key) => quota.take(key, key)));
      clock.advance(1);
    }
    expect(await taken('k_7')).toBeGreaterThan(3);
    const before = faults.calls['write'] ?? 0;
    await pass(2000);
    expect(faults.calls['write']).toBe(before + 1);
    for (const key of keys) expect(await taken(key)).toBe(3);
  });

  test('goes back when the process ends', async () => {
    await takeInTurn(quota, 5);
    expect(await taken()).toBeGreaterThan(5);
    await quota[Symbol.asyncDispose]();
    expect(await taken()).toBe(5);
  });

  test('shrinks to what is used of it', async () => {
    await takeInTurn(quota, 3);
    for (let count = 0; count < 5; count += 1) {
      await pass(500);
      await quota.take(KEY, KEY);
    }
    expect((await taken()) - 8).toBeLessThanOrEqual(2);
  });

  test('takes nothing in while it is being returned: that goes to the store too', async () => {
    const [take] = await takeInTurn(quota, 3);
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      void quota.giveBack(take as Take);
    };
    await pass(900);
    expect(await taken()).toBe(2);
  });

  test('keeps the store free: its operations are counted in the metrics', async () => {
    const metrics = createMetrics();
    await using counted = createQuota({ documents: file.client(clock), clock, metrics });
    await takeInTurn(counted, 100);
    const operations = await metrics.getSingleMetric('catalog_quota_store_operations_total')?.get();
    const count = (name: string) =>
      operations?.values.find(({ labels }) => labels['operation'] === name)?.value;
    // Of the day, and of days after it.
    expect(count('read')).toBe(2);
    expect(count('write')).toBeGreaterThan(1);
    expect(count('write')).toBeLessThanOrEqual(11);
  });

  test('needs no store while it lasts', async () => {
    await takeInTurn(quota, 2);
    faults.down = true;
    const held = (await taken()) - 2;
    expect(held).toBeGreaterThan(0);
    expect(grantedOf(await takeInTurn(quota, held))).toHaveLength(held);
    await expect(takeMany(quota, 1)).rejects.toThrow(RetryableError);
  });
});

describe('the last request of a day', () => {
  test('is refused at once where nobody can still return one', async () => {
    const another = instance().quota;
    await takeMany(another, 400);
    await takeMany(quota, 600);
    await pass();
    const before = clock.time;
    expect(grantedOf(await takeMany(quota, 5))).toEqual([]);
    expect(grantedOf(await takeMany(another, 5))).toEqual([]);
    expect(clock.time).toBe(before);
  });

  test('waits for what another instance still holds, and is granted it', async () => {
    const another = instance().quota;
    await takeInTurn(another, 2);
    expect(await taken()).toBe(12);
    const before = clock.time;
    expect(grantedOf(await takeMany(quota, 1000))).toHaveLength(998);
    expect(clock.time - before).toBeLessThan(1500);
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await taken()).toBe(1000);
  });

  test('does not wait for an instance that finds the day used up itself', async () => {
    const another = instance().quota;
    await takeMany(another, 400);
    const before = clock.time;
    const takes = await Promise.all([takeMany(quota, 605), takeMany(another, 5)]);
    expect(grantedOf(takes.flat())).toHaveLength(600);
    expect(clock.time - before).toBeLessThan(500);
  });

  test('waits for an instance that gave something back a moment ago', async () => {
    const another = instance().quota;
    await another.giveBack(await another.take(KEY, KEY));
    expect(grantedOf(await takeMany(quota, 1001))).toHaveLength(1000);
  });

  test('is not kept from it by an instance that is busy with requests that cost nothing', async () => {
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

async function storedDays(): Promise<readonly string[]> {
  return (await Array.fromAsync(file.client().scan('quota'))).flat().map(({ id }) => id);
}

describe('the day', () => {
  test('a new day begins at 00:00 UTC by the store, however wrong the clocks of the instances are', async () => {
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

  test('an allotment of the day before is worth nothing', async () => {
    const another = instance({ wrongByMs: -3_600_000 }).quota;
    clock.time = Date.parse('2026-11-20T23:59:59.900Z');
    for (const each of [quota, another]) await takeInTurn(each, 3);
    const held = await taken();
    expect(held).toBeGreaterThan(6);
    clock.advance(Date.parse('2026-11-21T00:00:00Z') - clock.time);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 });
    expect(await another.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 998 });
    await pass();
    expect(await taken()).toBe(held);
    expect(await taken(KEY, '2026-11-21')).toBe(2);
  });

  test('a process that stood still over midnight grants nothing of the day before', async () => {
    clock.time = Date.parse('2026-11-20T23:59:00Z');
    await takeInTurn(quota, 5);
    clock.advance(600_000);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
    expect(await taken(KEY, '2026-11-21')).toBe(1);
  });

  test('a request that was counted just before the process stood still is counted on the day it is granted', async () => {
    clock.time = Date.parse('2026-11-20T23:59:59Z');
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      clock.advance(600_000);
    };
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999, resetS: 86_400 - 599 });
    expect(await taken(KEY, '2026-11-21')).toBe(1);
  });

  test('a local clock that jumps by an hour changes no day', async () => {
    const jumping = instance();
    clock.time = Date.parse('2026-11-20T23:30:00Z');
    await takeInTurn(jumping.quota, 5);
    for (const wrongByMs of [3_600_000, -3_600_000, 0]) {
      jumping.life.wrongByMs = wrongByMs;
      expect(await jumping.quota.take(KEY, KEY)).toMatchObject({ granted: true, resetS: 1800 });
    }
    await pass();
    expect(await taken()).toBe(8);
  });

  test('what is given back after midnight belongs to the day before', async () => {
    clock.time = Date.parse('2026-11-20T23:59:59Z');
    const takes = await takeMany(quota, 1000);
    clock.advance(2000);
    await takeMany(quota, 3);
    expect(await quota.giveBack(takes[0] as Take)).toBe(1);
    expect(await quota.take(KEY, KEY)).toMatchObject({ remaining: 996 });
  });

  test('an instance that is a moment behind after midnight still finds the old day full', async () => {
    const behind = instance().quota;
    clock.time = Date.parse('2026-11-20T23:59:59.999Z');
    await takeMany(quota, 1000);
    clock.advance(1);
    await quota.take(KEY, KEY);
    await quota[Symbol.asyncDispose]();
    clock.advance(-1);
    expect(await behind.take(KEY, KEY)).toMatchObject({ granted: false });
  });

  test('of each place the 32 newest days are kept', async () => {
    for (let day = 0; day < 34; day += 1) {
      await quota.take(KEY, KEY);
      if (day < 5) await quota.take('k_another', 'k_another');
      clock.advance(86_400_000);
    }
    await quota[Symbol.asyncDispose]();
    const days = await storedDays();
    expect(days.filter((id) => id.endsWith('k_another'))).toHaveLength(5);
    const ours = days.filter((id) => id.endsWith(KEY));
    expect([ours.length, ours[0], ours.at(-1)]).toEqual([32, `2026-11-22/${KEY}`, `2026-12-23/${KEY}`]);
  });

  test.each([2, 20])(
    'a used-up day is used up after the store’s clock was %i days ahead for a while, with requests',
    async (days) => {
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
    const [given] = await takeMany(quota, 1000);
    for (let day = 0; day < 33; day += 1) {
      clock.advance(86_400_000);
      await quota.take(KEY, KEY);
    }
    await quota[Symbol.asyncDispose]();
    expect(await storedDays()).not.toContain(`2026-11-20/${KEY}`);
    clock.time -= 33 * 86_400_000;
    const { quota: again } = instance();
    expect(await again.take(KEY, KEY)).toMatchObject({ granted: false, remaining: 0 });
    expect(await again.take('k_another', 'k_another')).toMatchObject({ granted: true });
    await again.giveBack(given as Take);
    expect(await again.take(KEY, KEY)).toMatchObject({ granted: false });
    expect(await storedDays()).not.toContain(`2026-11-20/${KEY}`);
  });

  test('a store’s clock that is set back keeps nobody waiting for what was held before', async () => {
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

  test('the clocks are compared once in 5 s, not at every request', async () => {
    for (let step = 0; step < 20; step += 1) {
      await quota.take(KEY, KEY);
      clock.advance(500);
    }
    expect(faults.calls['now']).toBe(2);
  });
});

describe('with a failing store', () => {
  test('a store that is down fails as retryable, and counts nothing', async () => {
    faults.down = true;
    await expect(quota.take(KEY, KEY)).rejects.toThrow(RetryableError);
    faults.down = false;
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
  });

  test('a lost answer counts a request once', async () => {
    faults.answersToLose = 2;
    expect(await takeMany(quota, 1)).toMatchObject([{ granted: true, remaining: 999 }]);
    expect(await taken()).toBe(1);
  });

  test('a lost answer counts a request once although another instance has written since', async () => {
    const another = instance().quota;
    faults.answersToLose = 1;
    faults.afterWrite = async () => {
      faults.afterWrite = () => Promise.resolve();
      await another.take(KEY, KEY);
    };
    expect(await takeMany(quota, 1)).toMatchObject([{ granted: true, remaining: 998 }]);
    expect(await taken()).toBe(2);
  });

  test('a request that failed after it was counted is taken off with the next one', async () => {
    faults.answersToLose = 3;
    await expect(takeMany(quota, 1)).rejects.toThrow(RetryableError);
    expect(await taken()).toBe(1);
    expect(await quota.take(KEY, KEY)).toMatchObject({ granted: true, remaining: 999 });
    expect(await taken()).toBe(1);
  });

  test('a request that failed after it was counted is taken off when the store is up again', async () => {
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
    const takes = await takeMany(quota, 1000);
    faults.down = true;
    await expect(driven(clock, quota.giveBack(takes[0] as Take))).rejects.toThrow(RetryableError);
    await expect(driven(clock, quota.giveBack(takes[0] as Take))).rejects.toThrow(RetryableError);
    faults.down = false;
    await pass();
    expect(await taken()).toBe(999);
  });

  test('a give back whose answer was lost is not given back again', async () => {
    const takes = await takeMany(quota, 1000);
    faults.answersToLose = 3;
    await expect(driven(clock, quota.giveBack(takes[0] as Take))).rejects.toThrow(RetryableError);
    await pass();
    expect(await taken()).toBe(999);
    expect(grantedOf(await takeMany(quota, 2))).toHaveLength(1);
  });

  test('a return whose answer was lost returns nothing that was granted meanwhile', async () => {
    await takeInTurn(quota, 5);
    faults.answersToLose = 3;
    await pass(1500);
    expect(await taken()).toBe(5);
    await takeInTurn(quota, 5);
    await pass();
    expect(await taken()).toBe(10);
  });

  test('a store that is silent does not keep a process from ending', async () => {
    await takeInTurn(quota, 5);
    const before = clock.time;
    faults.hang = new Promise(() => undefined);
    await driven(clock, quota[Symbol.asyncDispose]());
    expect(clock.time - before).toBeLessThanOrEqual(2000);
    quotas = [];
  });
});
