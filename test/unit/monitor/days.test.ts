import { expect, test } from 'vitest';

import { daysOf, SHOWN_DAYS } from '../../../src/monitor/timelines.ts';

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

test('the time of a timeline falls to its days, and what is not known stays unknown', () => {
  const days = daysOf(
    [
      { at: at('2026-01-01T12:00:00Z'), state: 'unknown' },
      { at: at('2026-01-01T18:00:00Z'), state: 'up' },
      { at: at('2026-01-02T06:00:00Z'), state: 'down' },
      { at: at('2026-01-02T08:00:00Z'), state: 'degraded' },
    ],
    at('2026-01-02T10:00:00Z'),
  );
  expect(days).toHaveLength(SHOWN_DAYS);
  expect(days.at(-1)).toEqual({
    day: '2026-01-02',
    spent: { up: 6 * HOUR, down: 2 * HOUR, degraded: 2 * HOUR, unknown: 14 * HOUR },
  });
  expect(days.at(-2)).toEqual({
    day: '2026-01-01',
    spent: { up: 6 * HOUR, down: 0, degraded: 0, unknown: 18 * HOUR },
  });
  expect(days[0]).toEqual({ day: '2025-10-05', spent: { up: 0, down: 0, degraded: 0, unknown: 24 * HOUR } });
});

test('a timeline from before the window fills all of it', () => {
  const days = daysOf([{ at: at('2020-01-01T00:00:00Z'), state: 'up' }], at('2026-01-02T00:00:00Z'));
  expect(days.slice(0, -1).every(({ spent }) => spent.up === 24 * HOUR)).toBe(true);
  expect(days.at(-1)?.spent.up).toBe(0);
});

test('nothing is known where nothing was ever counted', () => {
  expect(daysOf([], null)).toEqual([]);
});
