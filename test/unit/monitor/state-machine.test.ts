import { expect, test } from 'vitest';

import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { countedAt, rounds, shownAt, statusAfter, statusOfRounds, target } from '../../support/monitor.ts';

/** What the law on the status (test/laws/monitor-status.test.ts) does not say of the state machine. */

test('silence for months changes nothing more, and takes no longer', () => {
  const body = statusAfter([target('bot_api'), ...rounds('ooo')], countedAt(99 * 24 * 60));
  expect(body.components[0]).toMatchObject({
    state: 'unknown',
    since: shownAt(5),
    checked_at: expect.any(String),
  });
});

test('every number of the policy is one that the rules go by', () => {
  const policy = { ...DEFAULT_POLICY, fail_rounds: 5, degraded_rounds: 9, unknown_rounds: 2, settle_s: 0 };
  const stateBy = (letters: string) =>
    statusAfter([target('bot_api'), ...rounds(letters)], countedAt(letters.length - 1), policy).state;
  expect(stateBy('ooffff')).toBe('up');
  expect(stateBy('oofffff')).toBe('down');
  expect(stateBy('oo--')).toBe('unknown');
  const { since } = statusAfter([target('bot_api'), ...rounds('oo')], countedAt(1), policy);
  expect(since).toBe('2026-11-20T10:02:00Z');
});

test('what flaps is held at degraded until 10 ok rounds in a row, which clears the count of changes', () => {
  const flapping = 'oo fff oo fff oo';
  const held = statusOfRounds(`${flapping} w ooooooooo`);
  expect(held).toMatchObject({ state: 'degraded', flapping: true });
  const over = statusOfRounds(`${flapping} w oooooooooo fff`);
  expect(over).toMatchObject({ state: 'down', flapping: false });
});
