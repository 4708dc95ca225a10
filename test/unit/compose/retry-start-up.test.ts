import { afterEach, expect, test, vi } from 'vitest';

import { createStartUp } from '../../../src/compose/retry-start-up.ts';
import { AccessRefused, PermanentError, RetryableError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { StoppedError } from '../../../src/projecting/engine/retry.ts';
import { createTestClock } from '../../support/test-clock.ts';

afterEach(() => vi.restoreAllMocks());

function begin() {
  const clock = createTestClock();
  const logger = createLogger('silent', 'test');
  const stop = new AbortController();
  const warn = vi.spyOn(logger, 'warn');
  const info = vi.spyOn(logger, 'info');
  // The whole pause, so that a test knows how long it is.
  const starting = createStartUp({ clock, logger, signal: stop.signal, random: () => 1 });
  return { clock, starting, stop, warn, info };
}

test('a store that cannot be reached is waited for; what for is said at once and every ten seconds, and in readyz', async () => {
  const { clock, starting, warn } = begin();
  let isDown = true;
  const work = async (): Promise<string> => {
    if (isDown) throw new RetryableError('connection refused');
    return 'there';
  };
  const waiting = starting.wait('the documents store', work);
  await clock.sleeping(250);
  expect(starting.check()).toEqual({ ok: false, detail: 'waiting: the documents store: connection refused' });
  expect(warn).toHaveBeenCalledTimes(1);
  for (const pause of [250, 500, 1000, 2000, 4000]) {
    clock.advance(pause);
    await clock.sleeping(Math.min(2 * pause, 5000));
  }
  expect(warn).toHaveBeenCalledTimes(1);
  clock.advance(5000);
  await expect.poll(() => warn.mock.calls.length).toBe(2);
  expect(warn.mock.calls[1]).toEqual([
    { what: 'the documents store', attempt: 7, waitedMs: 12_750, reason: 'connection refused' },
    'waiting to start',
  ]);
  isDown = false;
  clock.advance(5000);
  expect(await waiting).toBe('there');
  expect(starting.check().ok).toBe(false);
  starting.started();
  expect(starting.check()).toEqual({ ok: true, detail: 'started' });
});

test('what no waiting mends ends the start at once', async () => {
  const { starting } = begin();
  const wrong = () => Promise.reject(new PermanentError('wrong password'));
  await expect(starting.wait('the documents store', wrong)).rejects.toThrow('wrong password');
});

test('a password that is refused and nothing else ends the start after half a minute', async () => {
  const { clock, starting } = begin();
  let ended: unknown = null;
  const wrong = () => Promise.reject(new AccessRefused('wrong password'));
  void starting.wait('the documents store', wrong).catch((thrown: unknown) => (ended = thrown));
  for (const pause of [250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000]) {
    await clock.sleeping(pause);
    clock.advance(pause);
  }
  await clock.sleeping(5000);
  expect(ended).toBeNull();
  clock.advance(5000);
  await expect.poll(() => ended).toBeInstanceOf(PermanentError);
});

test('a process that is told to stop waits no longer, and is not ready', async () => {
  const { clock, starting, stop } = begin();
  const down = () => Promise.reject(new RetryableError('down'));
  const waiting = starting.wait('the log', down);
  await clock.sleeping(250);
  stop.abort();
  await expect(waiting).rejects.toThrow(StoppedError);
  expect(starting.check()).toEqual({ ok: false, detail: 'stopping' });
});

test('work that takes long is said to be under way, and no more once it is done', async () => {
  const { clock, starting, info } = begin();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = starting.wait('indexes of listings@1', () => promise);
  await clock.sleeping(3000);
  clock.advance(3000);
  await clock.sleeping(10_000);
  expect(info.mock.calls).toEqual([[{ what: 'indexes of listings@1', tookMs: 3000 }, 'still starting']]);
  resolve();
  await waiting;
  clock.advance(60_000);
  expect(info).toHaveBeenCalledTimes(1);
});
