import { expect, test } from 'vitest';

import { lastCounted } from '../../../src/monitor/rounds.ts';
import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { countedAt, FIRST, rounds, statusAfter, target } from '../../support/monitor.ts';

test('a round counts 15 seconds after it has ended, and not a millisecond earlier', () => {
  expect(lastCounted(countedAt(0), DEFAULT_POLICY)).toBe(FIRST);
  expect(lastCounted(countedAt(0) - 1, DEFAULT_POLICY)).toBe(FIRST - 1);
  const events = [target('bot_api'), ...rounds('oo')];
  expect(statusAfter(events, countedAt(1)).state).toBe('up');
  expect(statusAfter(events, countedAt(1) - 1).state).toBe('unknown');
});
