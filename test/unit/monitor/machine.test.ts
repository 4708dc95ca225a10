import { describe, expect, test } from 'vitest';

import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import {
  countedAt,
  rounds,
  shownAt,
  stateAfter,
  statusAfter,
  statusOfRounds,
  target,
} from '../../support/monitor.ts';

/** Letters are rounds: o ok, w and s weak, f fail, - silence (test/support/monitor.ts). */

/** Each rule with histories that it tells apart, and the state after each. */
const RULES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'up is degraded by 3 not-ok rounds among the last 10': {
    'oo w ooo s oooo': 'up',
    'oo w ooo s oooo f': 'degraded',
    'oo w ooo s ooooo f': 'up',
  },
  'rounds from before it was up never count: the window is cleared': {
    'fff oo w w': 'up',
    'wf oo w': 'up',
    'fff oo w w w': 'degraded',
  },
  '3 failed rounds in a row are down, whatever state they began in': {
    'ooo ff': 'up',
    'ooo fff': 'down',
    'ooo ffwff': 'degraded',
    'ooo ffwfff': 'down',
    'ooo wwff': 'degraded',
    'ooo wwfff': 'down',
  },
  'down ends after 2 rounds in a row that are not fail: with up where both are ok, else with degraded': {
    'ff o': 'down',
    'ff ofo': 'down',
    'ff oo': 'up',
    'ff ow': 'degraded',
    'ff wo': 'degraded',
    'ff ss': 'degraded',
  },
  'degraded is up after 5 ok rounds in a row, the one that brought it back from down among them': {
    'ww oooo': 'degraded',
    'ww ooooo': 'up',
    'ww oooowoooo': 'degraded',
    'ff wo ooo': 'degraded',
    'ff wo oooo': 'up',
  },
  'silence of 3 rounds in a row makes any state unknown': {
    'oo--': 'up',
    'oo---': 'unknown',
    'ww---': 'unknown',
    'ff---': 'unknown',
  },
  'silence of a single round enters no window and breaks no run': {
    'ooo f-f--f': 'down',
    'ww oo-o--oo': 'up',
    'oo w-o-o-o-o-o-o-o-w-w': 'degraded',
    'o-o': 'up',
  },
  'silence that makes a target unknown clears all runs': {
    'ooo ff --- f': 'unknown',
    'o --- o': 'unknown',
    'oo --- o --- o': 'unknown',
  },
  'unknown ends with 2 rounds that agree, and with their state': {
    'oo --- oo': 'up',
    'oo --- ws': 'degraded',
    'oo --- ff': 'down',
    'oo --- owfow': 'unknown',
    'oo --- owfoww': 'degraded',
  },
};

test.each(Object.entries(RULES))('%s', (_rule, states) => {
  for (const [letters, state] of Object.entries(states)) expect(stateAfter(letters), letters).toBe(state);
});

test('down outranks degraded, where the same round would make it both', () => {
  const { incidents, components } = statusOfRounds('ooo fff');
  expect(components[0]?.state).toBe('down');
  expect(incidents).toMatchObject([{ severity: 'down', detected_at: shownAt(5) }]);
});

test('a target without rounds is unknown, since nobody knows when', () => {
  const { components, state, since, checked_at } = statusAfter([target('bot_api')], countedAt(0));
  expect(components).toMatchObject([{ state: 'unknown', since: null, checked_at: null }]);
  expect({ state, since, checked_at }).toEqual({ state: 'unknown', since: null, checked_at: null });
});

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

describe('more than 4 changes in 30 minutes', () => {
  /** Up, down and up again: two changes in five rounds. The first two rounds of a history are a change as well. */
  const AGAIN = 'fff oo';
  const FLAPPING = `oo ${AGAIN} fff oo`;

  test.each([
    ['are flapping: the target is held at degraded', `oo ${AGAIN} fff o`, 'down', FLAPPING, 'degraded'],
    ['count a change to unknown as well', 'oo --- oo ---', 'unknown', 'oo --- oo --- oo', 'degraded'],
    // The first change is caused by the second round, the fifth by the 33rd and by the 32nd.
    [
      'are not flapping where the first of them is longer ago',
      `oo ${AGAIN} ${'o'.repeat(21)} fff oo`,
      'up',
      `oo ${AGAIN} ${'o'.repeat(20)} fff oo`,
      'degraded',
    ],
    ['hold it whatever comes', `${FLAPPING} ---`, 'unknown', `${FLAPPING} fffffffff`, 'degraded'],
    [
      'are over after 10 ok rounds in a row, which clears the count',
      `${FLAPPING} w oooooooooo fff`,
      'down',
      `${FLAPPING} w ooooooooo`,
      'degraded',
    ],
    [
      'are over after a silence, which clears the count too',
      `${FLAPPING} --- oo`,
      'up',
      `${FLAPPING} ooooooo`,
      'degraded',
    ],
  ])('%s', (_rule, free, state, held, degraded) => {
    expect(statusOfRounds(free)).toMatchObject({ state, flapping: false });
    expect(statusOfRounds(held)).toMatchObject({ state: degraded, flapping: true });
  });
});
