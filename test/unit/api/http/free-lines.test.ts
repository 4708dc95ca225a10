import { expect, test } from 'vitest';

import { createFreeLines, type Counted } from '../../../../src/api/http/free-lines.ts';
import { createTestClock } from '../../../support/test-clock.ts';

function freeLines() {
  const clock = createTestClock();
  const told: Counted[] = [];
  const lines = createFreeLines({ clock, onCounted: (counted) => void told.push(counted) });
  const ask = (count: number, route: string | null, status: number, caller: string | null = 'a'): number =>
    Array.from({ length: count }, () => lines.has({ route, status, caller })).filter(Boolean).length;
  const second = async (): Promise<void> => {
    clock.advance(1000);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { lines, told, ask, second };
}

test('the first of each status in a second have lines, the others share one', async () => {
  const { told, ask, second } = freeLines();
  expect(ask(100, '/a', 401)).toBe(20);
  expect(ask(30, '/b', 401, 'b')).toBe(0);
  expect(ask(3, '/b', 404, 'b')).toBe(3);
  expect(told).toEqual([]);
  await second();
  expect(told).toEqual([
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

test('each second begins anew, and one without a crowd says nothing', async () => {
  const { told, ask, second } = freeLines();
  expect(ask(20, '/a', 401)).toBe(20);
  await second();
  expect(ask(25, '/a', 401)).toBe(20);
  await second();
  expect(told.map(({ requests }) => requests)).toEqual([5]);
});

test('callers without end take no memory without end', async () => {
  const { told, ask, second } = freeLines();
  ask(20, '/a', 401);
  for (let index = 0; index < 5000; index += 1) ask(1, '/a', 401, `caller ${index}`);
  await second();
  expect(told[0]?.requests).toBe(5000);
  expect(told[0]?.callers).toHaveLength(5);
  expect(told[0]?.callers[0]).toEqual({ caller: null, requests: 4000 });
});

test('what was counted is told at the end, once', async () => {
  const { lines, told, ask, second } = freeLines();
  ask(21, null, 404);
  lines.end();
  await second();
  expect(told.map(({ requests }) => requests)).toEqual([1]);
});
