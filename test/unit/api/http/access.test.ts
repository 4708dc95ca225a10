import { pino } from 'pino';
import { describe, expect, test } from 'vitest';

import type { Take } from '../../../../src/access/quota.ts';
import { createAccess } from '../../../../src/api/http/access.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';

const TAKE: Take = { granted: true, limit: 1000, remaining: 5, resetS: 60 };
const TARGET = { path: '/api/v1/top', parameters: [] };

/** A good key, and a quota whose answers the test gives. */
function accessWith(quota: { take(): Promise<Take>; giveBack(take: Take): Promise<number> }) {
  return createAccess({
    keys: { check: async () => ({ outcome: 'active', keyId: 'k_1', account: 'tests', place: 'tests/1' }) },
    quota,
    storeLimitMs: 20,
    logger: pino({ level: 'silent' }),
  });
}

describe('access', () => {
  test('a request that is counted only after its caller was refused is given back', async () => {
    const counted = Promise.withResolvers<Take>();
    const returned: Take[] = [];
    const access = accessWith({
      take: () => counted.promise,
      giveBack: async (take) => {
        returned.push(take);
        return 6;
      },
    });
    const admission = await access.admit('key', TARGET);
    expect(admission).toEqual({ outcome: 'uncounted', keyId: 'k_1', cause: expect.any(RetryableError) });
    expect(returned).toEqual([]);
    counted.resolve(TAKE);
    await expect.poll(() => returned).toEqual([TAKE]);
  });

  test('what cannot be given back now does not spoil the answer', async () => {
    const access = accessWith({
      take: async () => TAKE,
      giveBack: async () => {
        throw new RetryableError('down');
      },
    });
    expect(await access.admit('key', TARGET)).toEqual({ outcome: 'admitted', keyId: 'k_1', take: TAKE });
    expect(await access.giveBack(TAKE)).toBe(5);
  });
});
