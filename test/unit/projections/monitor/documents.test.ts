import { describe, expect, test } from 'vitest';

import { monitor } from '../../../../projections/monitor/index.ts';
import { probed, targetDefined, targetRemoved } from '../../../support/events.ts';
import { numberOfTimes, specify } from '../../../support/specification.ts';

const given = specify(monitor);

/** 10:00 UTC, the beginning of an hour. */
const ROUND = Date.parse('2026-11-20T10:00:00Z') / 60_000;

describe('a target', () => {
  test('is what its highest revision says', () => {
    given(targetDefined({ revision: 2, critical: false }))
      .when(targetDefined({ revision: 1, critical: true }))
      .thenShows({ kind: 'target', target: 'bot_api', defined: true, critical: false, slow_ms: 2000 });
  });

  test('that is removed keeps nothing but its tombstone, and comes back with a newer definition only', () => {
    given(targetDefined({ revision: 1 }), targetRemoved({ revision: 2 })).thenHolds(({ registers, view }) => {
      expect(view).toEqual({ kind: 'target', target: 'bot_api', defined: false });
      expect(registers.definition).toMatchObject({ at: 2, value: null });
      expect(JSON.stringify(registers)).not.toContain('name');
    });
    given(targetRemoved({ revision: 2 }))
      .when(targetDefined({ revision: 2 }))
      .thenShows({ defined: false });
    given(targetRemoved({ revision: 2 }))
      .when(targetDefined({ revision: 3 }))
      .thenShows({ defined: true });
  });

  test('that is defined again counts from the first round after its newest removal, whatever comes last', () => {
    given(targetDefined({ revision: 1 })).thenShows({ since: 0 });
    const first = targetRemoved({ revision: 2, time: '2026-11-20T09:00:00Z' });
    const again = targetRemoved({ revision: 4, time: '2026-11-20T10:00:01Z' });
    given(targetDefined({ revision: 3 }), first).thenShows({ since: ROUND - 60 });
    given(again, targetDefined({ revision: 5 }))
      .when(first, targetDefined({ revision: 3 }))
      .thenShows({ since: ROUND + 1 });
  });
});

describe('an hour of probes', () => {
  test('shows each round once, ascending, with its checks ordered by vantage point', () => {
    given(
      probed({ round: ROUND + 1, vantage_point: 'us', result: 'fail', latency_ms: null, cause: 'dns' }),
      numberOfTimes(2, probed({ round: ROUND, vantage_point: 'eu' })),
      probed({ round: ROUND + 1, vantage_point: 'ap', latency_ms: null }),
    ).thenHolds(({ view }) => {
      const at = (round: number) => round * 60_000 + 10_000;
      expect(view).toEqual({
        kind: 'hour',
        target: 'bot_api',
        hour: ROUND / 60,
        rounds: [
          {
            round: ROUND,
            checks: [{ point: 'eu', result: 'ok', at: at(ROUND), cause: null, latency: expect.any(Number) }],
          },
          {
            round: ROUND + 1,
            checks: [
              { point: 'ap', result: 'ok', at: at(ROUND + 1), cause: null, latency: null },
              { point: 'us', result: 'fail', at: at(ROUND + 1), cause: 'dns', latency: null },
            ],
          },
        ],
      });
    });
  });

  test('keeps, of two probes of one round and vantage point, one that was checked after the round', () => {
    const at = (seconds: number) => new Date(ROUND * 60_000 + seconds * 1000).toISOString();
    const time = at(60);
    const after = probed({ time, round: ROUND, result: 'slow', checked_at: at(60) });
    for (const attempts of [1, 2, 3, 4, 5]) {
      const before = probed({ time, round: ROUND, result: 'ok', checked_at: at(59), attempts });
      given(before, after).thenShows({ rounds: [{ checks: [{ result: 'slow' }] }] });
      given(after, before).thenShows({ rounds: [{ checks: [{ result: 'slow' }] }] });
    }
  });

  test('keeps probes however old they are', () => {
    given(probed({ round: 1 })).thenShows({ hour: 0, rounds: [{ round: 1 }] });
  });
});
