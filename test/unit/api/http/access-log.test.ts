import { expect, test } from 'vitest';

import { createAccessLog } from '../../../../src/api/http/access-log.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import { createMetrics } from '../../../../src/platform/metrics-registry.ts';
import { createTestClock } from '../../../support/test-clock.ts';

interface Shared {
  readonly requests: number;
  readonly by: readonly object[];
  readonly callers: readonly object[];
}

function setUp() {
  const clock = createTestClock();
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('info', 'test', {
    write: (line) => void lines.push(JSON.parse(line) as object as Record<string, unknown>),
  });
  const log = createAccessLog(logger, createMetrics(), clock);
  /** How many of so many free requests had lines of their own. */
  const ask = (count: number, route: string | null, status: number, address = 'a'): number => {
    const before = lines.length;
    for (let index = 0; index < count; index += 1)
      log.record({
        requestId: 'r',
        method: 'GET',
        route,
        status,
        cost: 0,
        durationMs: 1,
        keyId: null,
        address,
      });
    return lines.length - before;
  };
  const second = async (): Promise<void> => {
    clock.advance(1000);
    await Promise.resolve();
    await Promise.resolve();
  };
  const shared = () =>
    lines.flatMap(({ msg, requests, by, callers }) =>
      msg === 'request' ? [] : [{ requests, by, callers } as Shared],
    );
  return { log, shared, ask, second };
}

test('the first of each status in a second have lines, the others share one', async () => {
  const { shared, ask, second } = setUp();
  expect(ask(100, '/a', 401)).toBe(20);
  expect(ask(30, '/b', 401, 'b')).toBe(0);
  expect(ask(3, '/b', 404, 'b')).toBe(3);
  expect(shared()).toEqual([]);
  await second();
  expect(shared()).toEqual([
    {
      requests: 110,
      by: [
        { route: '/a', status: 401, requests: 80 },
        { route: '/b', status: 401, requests: 30 },
      ],
      callers: [
        { caller: 'a', requests: 80 },
        { caller: 'b', requests: 30 },
      ],
    },
  ]);
});

test('each second begins again, and one without a crowd says nothing', async () => {
  const { shared, ask, second } = setUp();
  expect(ask(20, '/a', 401)).toBe(20);
  await second();
  expect(ask(25, '/a', 401)).toBe(20);
  await second();
  expect(shared().map(({ requests }) => requests)).toEqual([5]);
});

test('callers without end take no memory without end', async () => {
  const { shared, ask, second } = setUp();
  ask(20, '/a', 401);
  for (let index = 0; index < 5000; index += 1) ask(1, '/a', 401, `caller ${index}`);
  await second();
  const [told] = shared();
  expect(told?.requests).toBe(5000);
  expect(told?.callers).toHaveLength(5);
  expect(told?.callers[0]).toEqual({ caller: null, requests: 4000 });
});

test('what was counted is told at the end, once', async () => {
  const { log, shared, ask, second } = setUp();
  ask(21, null, 404);
  log.end();
  await second();
  expect(shared().map(({ requests }) => requests)).toEqual([1]);
});
