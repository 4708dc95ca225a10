import { expect, test } from 'vitest';

import { SqliteSubscription } from '../../../../../src/events/log/sqlite/subscription.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import { captureLog } from '../../../../support/captured-log.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const RENEW_MS = 1000;

test('says when it takes the lease and when it loses it, once each, and names the group', async () => {
  const clock = createTestClock();
  const { logger, lines, said } = captureLog();
  const looks: (boolean | Error)[] = [false, true, true, new RetryableError('busy'), false, false, true];
  const expected = looks.length;
  let looked = 0;
  await using member = new SqliteSubscription({
    group: 'listings@1',
    topics: ['catalog.entries'],
    handlers: { assigned: () => undefined, revoked: () => undefined },
    clock,
    logger,
    renewMs: RENEW_MS,
    takeLease: async () => {
      const look = looks[looked] ?? true;
      looked += 1;
      if (look instanceof Error) throw look;
      return look;
    },
    releaseLease: async () => undefined,
    partitionCount: async () => 2,
    fetch: () => Promise.reject(new Error('nobody fetches')),
    whileHeld: async () => undefined,
  });
  await member.start();
  while (looked < expected) {
    await clock.pass(RENEW_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(said()).toEqual([
    'info: log lease taken',
    'warn: the log lease cannot be looked at',
    'info: log lease lost: another process has it',
    'info: log lease taken',
  ]);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ group: 'listings@1' });
});
