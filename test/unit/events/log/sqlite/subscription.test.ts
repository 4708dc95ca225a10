import { expect, test } from 'vitest';

import { SqliteSubscription } from '../../../../../src/events/log/sqlite/subscription.ts';
import { RetryableError } from '../../../../../src/platform/errors.ts';
import { captureLog } from '../../../../support/captured-log.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const LOOK_MS = 1000;

test('says once when it takes the lock and when it cannot look at it, and names the group', async () => {
  const clock = createTestClock();
  const { logger, lines, said } = captureLog();
  const lock: Disposable = { [Symbol.dispose]: () => undefined };
  const looks: (Disposable | null | Error)[] = [
    null,
    new RetryableError('busy'),
    new RetryableError('busy'),
    lock,
  ];
  let looked = 0;
  await using member = new SqliteSubscription({
    group: 'listings@1',
    topics: ['catalog.entries'],
    handlers: { assigned: () => undefined, revoked: () => undefined },
    clock,
    logger,
    lookMs: LOOK_MS,
    takeLock: async () => {
      const look = looks[looked] ?? null;
      looked += 1;
      if (look instanceof Error) throw look;
      return look;
    },
    partitionCount: async () => 2,
    fetch: () => Promise.reject(new Error('nobody fetches')),
    whileHeld: async () => undefined,
  });
  await member.start();
  while (looked < looks.length) {
    await clock.pass(LOOK_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(said()).toEqual([
    'warn: the lock of a group cannot be looked at',
    'info: the lock of a group was taken',
  ]);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ group: 'listings@1' });
});
