import { expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { createRetry, Stopped } from '../../../../src/projecting/engine/retry.ts';
import { captureLog } from '../../../support/captured-log.ts';

function retrying() {
  const pauses: number[] = [];
  const stopping = new AbortController();
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (ms: number) => void pauses.push(ms),
  };
  const { logger, said } = captureLog();
  const retry = createRetry({
    clock,
    logger,
    signal: stopping.signal,
    firstMs: 100,
    longestMs: 1000,
    random: () => 1,
  });
  return { retry, pauses, stopping, said };
}

test('retryable failures are tried again with growing, bounded pauses', async () => {
  const { retry, pauses } = retrying();
  let attempt = 0;
  const result = await retry('work', async () => {
    attempt += 1;
    if (attempt < 7) throw new RetryableError('down');
    return 'done';
  });
  expect(result).toBe('done');
  expect(pauses).toEqual([100, 200, 400, 800, 1000, 1000]);
});

test('each failure is said, and when it is over; a success at once is not', async () => {
  const { retry, said } = retrying();
  let isDown = true;
  const work = async (): Promise<void> => {
    if (isDown) throw new RetryableError('down');
  };
  const trying = retry('work', work);
  isDown = false;
  await trying;
  await retry('work', work);
  expect(said()).toEqual(['warn: trying again', 'info: going on']);
});

test('a permanent failure passes through at once', async () => {
  const { retry, pauses } = retrying();
  const fail = async (): Promise<never> => {
    throw new PermanentError('damaged');
  };
  await expect(retry('work', fail)).rejects.toThrow(PermanentError);
  expect(pauses).toEqual([]);
});

test('after the stop, work in hand may still succeed, but is not tried again', async () => {
  const { retry, stopping } = retrying();
  stopping.abort();
  expect(await retry('work', async () => 'done')).toBe('done');
  const fail = async (): Promise<never> => {
    throw new RetryableError('down');
  };
  await expect(retry('work', fail)).rejects.toThrow(Stopped);
});
