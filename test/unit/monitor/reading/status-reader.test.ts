import { describe, expect, test, vi } from 'vitest';

import { DEFAULT_POLICY } from '../../../../src/monitor/policy.ts';
import type { MonitorSnapshot } from '../../../../src/monitor/reading/poll-monitor.ts';
import { createStatusReader } from '../../../../src/monitor/reading/status-reader.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { countedAt, FIRST, MINUTE, rounds, target, watched } from '../../../support/monitor.ts';
import { fakeClock } from '../../../support/test-clock.ts';

const targets = watched([target('bot_api'), ...rounds('ooooo')]).map((one) => ({
  ...one,
  reported: FIRST + 4,
}));

/** A reader over these targets, whose store and whose own clock show the same. */
function setUp() {
  const clock = fakeClock(countedAt(4));
  const sees = { targets, lagMs: 0 };
  const poll = vi.fn<() => Promise<MonitorSnapshot>>(async () => ({
    ...sees,
    readAt: clock.time,
    localAt: clock.time,
  }));
  const logger = createLogger('silent', 'test');
  const log = vi.spyOn(logger, 'warn');
  const limits = { confirmMs: 500, storeLimitMs: 1000 };
  const reader = createStatusReader({ poll, policy: DEFAULT_POLICY, clock, ...limits, logger });
  const after = (ms: number) => {
    clock.time += ms;
    return reader.current();
  };
  return { after, poll, sees, log, clock };
}

describe('the status', () => {
  test('is the same object until a round counts', async () => {
    const { after, poll } = setUp();
    const first = await after(0);
    expect(await after(59_999)).toBe(first);
    expect(poll).toHaveBeenCalledTimes(2);
    const next = await after(1);
    expect(next).not.toBe(first);
    expect(next.body).toEqual(first.body);
  });

  test.each([MINUTE, -MINUTE])('does not change because the wall clock jumps by %i ms', async (by) => {
    const { after, clock, poll } = setUp();
    await after(0);
    poll.mockRejectedValue(new RetryableError('down'));
    const shown = await after(500);
    clock.jumpedMs = by;
    expect(await after(0)).toBe(shown);
  });

  test('that was behind at a start, which reads much, is polled again after the confirmation interval', async () => {
    const { after, sees, poll } = setUp();
    sees.lagMs = Number.POSITIVE_INFINITY;
    poll.mockImplementationOnce(async () => {
      const until = performance.now() + 200;
      while (performance.now() < until);
      return { ...sees, readAt: countedAt(4), localAt: countedAt(4) };
    });
    expect((await after(0)).body.stale).toBe(true);
    sees.lagMs = 0;
    expect((await after(500)).body.stale).toBe(false);
  });

  test('says that it has not been read, and not that nothing was checked, until it has been read once', async () => {
    const { after, poll, sees } = setUp();
    poll.mockRejectedValueOnce(new RetryableError('down'));
    const unread = await after(0);
    expect(unread.body).toMatchObject({ state: 'unknown', stale: true, checked_at: null });
    expect(unread.body.text.en).toBe('The state is not known yet: it has not been read since the start.');
    // No target either, and no word of a projector: as an empty catalog is.
    Object.assign(sees, { targets: [], lagMs: Number.POSITIVE_INFINITY });
    expect((await after(500)).body.text.en).toContain('The state is unknown: nothing was checked.');
  });

  test('changed when it was last checked, or when the state last changed, but never in the future', async () => {
    const { after } = setUp();
    expect((await after(0)).changedAt).toBe('2026-11-20T10:04:30.000Z');
    const unknown = await after(3 * MINUTE);
    expect(unknown.body.state).toBe('unknown');
    expect(unknown.changedAt).toBe(new Date(countedAt(7)).toISOString());
  });
});
