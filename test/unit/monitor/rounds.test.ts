import { describe, expect, test } from 'vitest';

import { lastCounted } from '../../../src/monitor/rounds.ts';
import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { countedAt, FIRST, rounds, statusAfter, target } from '../../support/monitor.ts';

describe('a round', () => {
  test('counts 15 seconds after it has ended, and not a millisecond earlier', () => {
    expect(lastCounted(countedAt(0), DEFAULT_POLICY)).toBe(FIRST);
    expect(lastCounted(countedAt(0) - 1, DEFAULT_POLICY)).toBe(FIRST - 1);
    const events = [target('bot_api'), ...rounds('oo')];
    expect(statusAfter(events, countedAt(1)).state).toBe('up');
    expect(statusAfter(events, countedAt(1) - 1).state).toBe('unknown');
  });

  test('that has not counted yet shows nowhere, not even in vantage points and latencies', () => {
    const known = [target('bot_api'), ...rounds('ooo')];
    const now = countedAt(3) - 1;
    const early = [...known, ...rounds('f', { round: FIRST + 3 }), ...rounds('s', { round: FIRST + 100 })];
    expect(statusAfter(early, now)).toEqual(statusAfter(known, now));
  });
});
