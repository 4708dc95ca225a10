import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import type { ReadHealth } from '../../../src/monitor/reports-complete-until.ts';
import { statusOf } from '../../../src/monitor/status.ts';
import {
  countedAt,
  FIRST,
  inTime,
  MINUTE,
  probe,
  rounds,
  shownAt,
  statusAfter,
  target,
  watched,
} from '../../support/monitor.ts';

const events = [target('bot_api'), ...rounds('ooooo')];
const endOfLast = (FIRST + 5) * MINUTE;

function statusWhile(reading: Partial<ReadHealth>, now: number, of = events) {
  return statusOf(watched(of), now, DEFAULT_POLICY, { ...inTime(now), ...reading });
}

describe('a status', () => {
  test('is stale once the newest reported round ended more than 180 seconds ago', () => {
    expect(statusAfter(events, endOfLast + 180_000).stale).toBe(false);
    expect(statusAfter(events, endOfLast + 180_001).stale).toBe(true);
  });

  test('does not change with the clock while no round counts', () => {
    const at = countedAt(4);
    expect(JSON.stringify(statusAfter(events, at + 59_999))).toBe(JSON.stringify(statusAfter(events, at)));
    expect(JSON.stringify(statusAfter(events, at + 60_000))).toBe(JSON.stringify(statusAfter(events, at)));
  });

  test('without any target is unknown, without data and without guesses', () => {
    expect(statusAfter([], countedAt(0))).toMatchObject({
      state: 'unknown',
      indicator: null,
      flapping: false,
      stale: false,
      since: null,
      checked_at: null,
      components: [],
      incidents: [],
      latency_ms: { '1h': { p50: null, p95: null, p99: null } },
    });
  });

  test('publishes its policy, and names in both languages', () => {
    const body = statusAfter(events, countedAt(4));
    expect(body.policy).toEqual(DEFAULT_POLICY);
    expect(body.interval_s).toBe(60);
    expect(body.components[0]?.name).toEqual({ ru: 'bot_api по-русски', en: 'bot_api' });
  });

  test('shows each vantage point with its newest result of the last 24 hours', () => {
    const day = 24 * 60;
    const body = statusAfter(
      [
        ...events,
        probe({ round: FIRST + day, vantage_point: 'eu', result: 'fail' }),
        probe({ round: FIRST + day + 3, vantage_point: 'moon', result: 'slow' }),
      ],
      countedAt(day + 3),
    );
    expect(body.components[0]?.vantage_points).toEqual([
      { id: 'ap', result: 'ok', checked_at: '2026-11-20T10:04:10Z' },
      { id: 'eu', result: 'fail', checked_at: '2026-11-21T10:00:10Z' },
      { id: 'moon', result: 'slow', checked_at: '2026-11-21T10:03:10Z' },
      { id: 'us', result: 'ok', checked_at: '2026-11-20T10:04:30Z' },
    ]);
    expect(body.checked_at).toBe('2026-11-21T10:03:10Z');
    const later = statusAfter(events, countedAt(day + 10));
    expect(later.components[0]?.vantage_points).toEqual([]);
  });

  test('ignores what is older than the 100 days of hours that end with the newest one', () => {
    const days = (count: number) => rounds('fff', { round: FIRST - count * 24 * 60 });
    const now = countedAt(4);
    expect(statusAfter([...events, ...days(100)], now)).toEqual(statusAfter(events, now));
    expect(statusAfter([...events, ...days(99)], now)).not.toEqual(statusAfter(events, now));
  });
});

test('the policy in docs/reference/monitor.md is the default one', () => {
  const page = readFileSync(new URL('../../../docs/reference/monitor.md', import.meta.url), 'utf8');
  const [, json = ''] = /```json policy\n([^]*?)```/.exec(page) ?? [];
  expect(JSON.parse(json)).toEqual(DEFAULT_POLICY);
});

describe('our own delay', () => {
  const now = countedAt(40);

  test('of more than 60 seconds shows the state as of the last round, and stale', () => {
    const asOfLast = statusAfter(events, countedAt(4));
    expect(statusWhile({ lagMs: 40 * MINUTE }, now)).toEqual({
      ...asOfLast,
      stale: true,
      text: expect.anything(),
    });
    expect(asOfLast.state).toBe('up');
  });

  test('of up to 60 seconds is no delay', () => {
    expect(statusWhile({ lagMs: 60_000 }, now).state).toBe('unknown');
    expect(statusWhile({ lagMs: 40 * MINUTE }, now).state).toBe('up');
  });

  test('makes even a fresh state stale', () => {
    expect(statusWhile({ lagMs: 60_000 }, countedAt(4)).stale).toBe(false);
    expect(statusWhile({ lagMs: 60_001 }, countedAt(4)).stale).toBe(true);
  });

  test('while the stores are down shows what was last read, and stale', () => {
    const body = statusWhile({ storesDown: true, readAt: countedAt(4) }, now);
    expect(body).toMatchObject({ state: 'up', stale: true, since: shownAt(1) });
    expect(statusWhile({ storesDown: true }, now, []).stale).toBe(true);
  });

  test('says nothing about one target where another one is read in time', () => {
    const two = [...events, target('client'), ...rounds('o'.repeat(40), { target: 'client' })];
    expect(statusWhile({}, now, two).components[0]?.state).toBe('unknown');
    const delayed = statusWhile({ lagMs: 38 * MINUTE }, now, two);
    expect(delayed.components.map(({ state }) => state)).toEqual(['up', 'up']);
  });

  test('does not take back a silence that is older than it', () => {
    expect(statusWhile({ lagMs: 20 * MINUTE }, now).state).toBe('unknown');
    expect(statusWhile({ storesDown: true, readAt: countedAt(30) }, now).state).toBe('unknown');
  });
});
