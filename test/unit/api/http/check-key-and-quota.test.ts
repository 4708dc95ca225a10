import { pino } from 'pino';
import { describe, expect, test } from 'vitest';

import type { QuotaResult } from '../../../../src/access/quota/quota.ts';
import { type QuotaTake, createAccess } from '../../../../src/api/http/check-key-and-quota.ts';
import { createDeadline } from '../../../../src/stores/time-limit.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';

const TAKE: QuotaResult = { granted: true, limit: 1000, remaining: 5, resetS: 60 };

/** A good key, and a quota whose answers the test gives. */
function accessWith(quota: { take(): Promise<QuotaResult>; giveBack(take: QuotaResult): Promise<number> }) {
  return createAccess({
    keys: { check: async () => ({ outcome: 'active', keyId: 'k_1', place: 'tests/1' }) },
    quota,
    logger: pino({ level: 'silent' }),
  });
}

describe('access', () => {
  test('a request that is counted only after its caller was refused is given back', async () => {
    const counted = Promise.withResolvers<QuotaResult>();
    const returned: QuotaResult[] = [];
    const access = accessWith({
      take: () => counted.promise,
      giveBack: async (take) => {
        returned.push(take);
        return 6;
      },
    });
    const admission = await access.admit('key', [], createDeadline(20));
    expect(admission).toEqual({ keyId: 'k_1', take: expect.any(RetryableError) });
    expect(returned).toEqual([]);
    counted.resolve(TAKE);
    await expect.poll(() => returned).toEqual([{ ...TAKE, place: 'tests/1' }]);
  });

  test('what cannot be given back now does not spoil the answer', async () => {
    const access = accessWith({
      take: async () => TAKE,
      giveBack: async () => {
        throw new RetryableError('down');
      },
    });
    const take = { ...TAKE, place: 'tests/1' };
    expect(await access.admit('key', [], createDeadline(20))).toEqual({ keyId: 'k_1', take });
    expect(await access.giveBack(take, createDeadline(20))).toBe(5);
  });

  test('nobody is refused while a request in hand may still be given back', async () => {
    let [left, asked] = [1, 0];
    const access = accessWith({
      take: async () => {
        asked += 1;
        return { ...TAKE, granted: left-- > 0 };
      },
      giveBack: async () => (left = 1),
    });
    const admit = async () =>
      (await access.admit('key', [], createDeadline(2000))) as { readonly take: QuotaTake };
    const free = await admit();
    const waiting = admit();
    await expect.poll(() => asked).toBeGreaterThan(2);
    await access.giveBack(free.take, createDeadline(2000));
    const paid = await waiting;
    expect(paid.take.granted).toBe(true);
    const late = admit();
    const hurried = await access.admit('key', [], createDeadline(80));
    expect(hurried).toMatchObject({ take: { granted: false } });
    access.answered(paid.take);
    expect((await late).take.granted).toBe(false);
  });
});

test('what a request still waits for is what is left of its deadline, whatever was waited for before', async () => {
  let now = 0;
  const deadline = createDeadline(2000, () => now);
  expect(await deadline.within(Promise.resolve('in time'))).toBe('in time');
  now = 1500;
  expect(deadline.leftMs()).toBe(500);
  now = 2500;
  expect(deadline.leftMs()).toBe(0);
  await expect(deadline.within(new Promise(() => undefined))).rejects.toThrow('longer than 2000 ms together');
});
