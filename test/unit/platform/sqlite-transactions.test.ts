import { expect, test } from 'vitest';

import { retryWhileBusy } from '../../../src/platform/sqlite-transactions.ts';
import { fakeClock } from '../../support/sqlite-log.ts';

test('patience runs out by the clock, however long the attempts themselves block', async () => {
  const clock = fakeClock(0);
  let attempts = 0;
  const work = (): never => {
    attempts += 1;
    clock.time += 400;
    throw Object.assign(new Error('database is locked'), { errcode: 5 });
  };
  await expect(retryWhileBusy(work, { clock, patienceMs: 1000 })).rejects.toThrow('database is locked');
  expect(attempts).toBe(3);
});
