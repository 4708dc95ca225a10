import { expect, test } from 'vitest';

import { createQuota } from '../../../../src/access/quota/quota.ts';
import { UsageError } from '../../../../src/platform/errors.ts';
import { driven } from '../fixture.ts';
import { openKeys } from '../keys/stage.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const stage = forEachTest(openKeys);

const HOUR = 3_600_000;

async function opened() {
  const quota = createQuota({ documents: stage.documents, clock: stage.clock });
  await quota.declare();
  return quota;
}

async function checkedKey(key: string) {
  const checked = await stage.keys.check(key);
  if (checked.outcome !== 'active') throw new Error('refused');
  return checked;
}

/** One after another, on an instance that ends: nothing is held then. */
async function use(key: string, times: number): Promise<void> {
  const quota = await opened();
  for (let count = 0; count < times; count += 1) {
    const checked = await checkedKey(key);
    await driven(stage.clock, quota.take(checked.place, checked.keyId));
    stage.clock.advance(2000);
  }
  await driven(stage.clock, quota[Symbol.asyncDispose]());
}

test('usage tells the requests of each day and place, and the keys that made them', async () => {
  const one = await stage.created();
  const two = await stage.created();
  await use(one.key, 3);
  await use(two.key, 1);
  stage.clock.advance(24 * HOUR);
  await use(one.key, 2);
  const rotated = await stage.keys.rotate('acme', one.id, { overlapMs: HOUR });
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
  await use(rotated.key, 1);
  const { days } = await stage.keys.usage('acme', 7);
  const told = (day: string, place: number, requests: number, byKey: Readonly<Record<string, number>>) => {
    return { day, place, requests, held: 0, byKey: new Map(Object.entries(byKey)) };
  };
  expect(days).toEqual([
    told('2026-11-21', 1, 3, { [one.id]: 2, [rotated.id]: 1 }),
    told('2026-11-20', 1, 3, { [one.id]: 3 }),
    told('2026-11-20', 2, 1, { [two.id]: 1 }),
  ]);
  expect((await stage.keys.usage('acme', 1)).days).toHaveLength(1);
  expect((await stage.keys.usage('another', 7)).days).toEqual([]);
  await expect(stage.keys.usage('../acme', 7)).rejects.toThrow(UsageError);
});

test('the last use of a key is told by the minute, and costs no write of its own', async () => {
  const { key, id } = await stage.created();
  const idle = await stage.created();
  await use(key, 1);
  stage.clock.advance(3 * HOUR + 17 * 60_000);
  const writes = stage.faults.calls['write'] ?? 0;
  await use(key, 1);
  expect((stage.faults.calls['write'] ?? 0) - writes).toBe(1);
  const { lastUsed } = await stage.keys.usage('acme', 1);
  expect(lastUsed.get(id)).toBe('2026-11-20T13:17:00.000Z');
  expect(lastUsed.has(idle.id)).toBe(false);
});

test('what an instance holds in advance is told apart from what was asked', async () => {
  const { key, id } = await stage.created();
  const checked = await checkedKey(key);
  const quota = await opened();
  for (let count = 0; count < 12; count += 1) {
    await driven(stage.clock, quota.take(checked.place, checked.keyId));
    stage.clock.advance(20);
  }
  const [busy] = (await stage.keys.usage('acme', 1)).days;
  expect(busy?.held).toBeGreaterThan(0);
  expect(busy?.held).toBeLessThanOrEqual(20);
  expect((busy?.requests ?? 0) - (busy?.held ?? 0)).toBeLessThanOrEqual(12);
  await driven(stage.clock, quota[Symbol.asyncDispose]());
  const [idle] = (await stage.keys.usage('acme', 1)).days;
  expect(idle).toMatchObject({ requests: 12, held: 0 });
  expect(idle?.byKey.get(id)).toBe(12);
});

test('what was given back is no use', async () => {
  const quota = await opened();
  const { key } = await stage.created();
  const checked = await checkedKey(key);
  await driven(
    stage.clock,
    quota.giveBack(await driven(stage.clock, quota.take(checked.place, checked.keyId))),
  );
  await driven(stage.clock, quota[Symbol.asyncDispose]());
  expect((await stage.keys.usage('acme', 1)).days).toEqual([]);
});

test('accounts are listed by name, with their keys', async () => {
  await stage.created('zoo');
  const ended = await stage.created('acme');
  await stage.created('acme');
  await stage.keys.revoke('acme', ended.id);
  expect(await stage.keys.accounts()).toEqual([
    { account: 'acme', activeKeys: 1, endedKeys: 1 },
    { account: 'zoo', activeKeys: 1, endedKeys: 0 },
  ]);
});
