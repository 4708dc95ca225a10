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

describe('up becomes degraded', () => {
  test('with 3 not-ok rounds among the last 10', () => {
    expect(stateAfter('oo w ooo s oooo')).toBe('up');
    expect(stateAfter('oo w ooo s oooo f')).toBe('degraded');
  });

  test('not where the first of the 3 is the eleventh round back', () => {
    expect(stateAfter('oo w ooo s ooooo f')).toBe('up');
  });

  test('and never by rounds from before it was up: the window is cleared on entering up', () => {
    expect(stateAfter('fff oo w w')).toBe('up');
    expect(stateAfter('wf oo w')).toBe('up');
    expect(stateAfter('fff oo w w w')).toBe('degraded');
  });
});

describe('up or degraded becomes down', () => {
  test('with 3 failed rounds in a row', () => {
    expect(stateAfter('ooo ff')).toBe('up');
    expect(stateAfter('ooo fff')).toBe('down');
    expect(stateAfter('ooo ffwff')).toBe('degraded');
    expect(stateAfter('ooo ffwfff')).toBe('down');
  });

  test('whatever state they began in', () => {
    expect(stateAfter('ooo wwff')).toBe('degraded');
    expect(stateAfter('ooo wwfff')).toBe('down');
  });

  test('at once, where the same round would make it degraded: down outranks degraded', () => {
    const { incidents, components } = statusOfRounds('ooo fff');
    expect(components[0]?.state).toBe('down');
    expect(incidents).toMatchObject([{ severity: 'down', detected_at: shownAt(5) }]);
  });
});

describe('down ends', () => {
  test('after 2 rounds in a row that are not fail', () => {
    expect(stateAfter('ff o')).toBe('down');
    expect(stateAfter('ff ofo')).toBe('down');
  });

  test('with up where both are ok', () => {
    expect(stateAfter('ff oo')).toBe('up');
  });

  test('with degraded where one of them is not', () => {
    expect(stateAfter('ff ow')).toBe('degraded');
    expect(stateAfter('ff wo')).toBe('degraded');
    expect(stateAfter('ff ss')).toBe('degraded');
  });
});

describe('degraded becomes up', () => {
  test('after 5 ok rounds in a row', () => {
    expect(stateAfter('ww oooo')).toBe('degraded');
    expect(stateAfter('ww ooooo')).toBe('up');
    expect(stateAfter('ww oooowoooo')).toBe('degraded');
  });

  test('counting the ok round that brought it back from down', () => {
    expect(stateAfter('ff wo ooo')).toBe('degraded');
    expect(stateAfter('ff wo oooo')).toBe('up');
  });
});

describe('silence', () => {
  test('of 3 rounds in a row makes any state unknown, when the third counts', () => {
    for (const known of ['oo', 'ww', 'ff']) {
      expect(stateAfter(`${known}--`)).not.toBe('unknown');
      expect(stateAfter(`${known}---`)).toBe('unknown');
    }
    expect(statusOfRounds('ooo-----').components[0]?.since).toBe(shownAt(5));
  });

  test('of a single round enters no window and breaks no run', () => {
    expect(stateAfter('ooo f-f--f')).toBe('down');
    expect(stateAfter('ww oo-o--oo')).toBe('up');
    expect(stateAfter('oo w-o-o-o-o-o-o-o-w-w')).toBe('degraded');
    expect(stateAfter('o-o')).toBe('up');
  });

  test('that makes a target unknown clears all runs', () => {
    expect(stateAfter('ooo ff --- f')).toBe('unknown');
    expect(stateAfter('o --- o')).toBe('unknown');
    expect(stateAfter('oo --- o --- o')).toBe('unknown');
  });

  test('ends with 2 rounds that agree, and with their state', () => {
    expect(stateAfter('oo --- oo')).toBe('up');
    expect(stateAfter('oo --- ws')).toBe('degraded');
    expect(stateAfter('oo --- ff')).toBe('down');
    expect(stateAfter('oo --- owfow')).toBe('unknown');
    expect(stateAfter('oo --- owfoww')).toBe('degraded');
  });

  test('is what a target without rounds has: unknown, since nobody knows when', () => {
    const { components, state, since, checked_at } = statusAfter([target('bot_api')], countedAt(0));
    expect(components).toMatchObject([{ state: 'unknown', since: null, checked_at: null }]);
    expect({ state, since, checked_at }).toEqual({ state: 'unknown', since: null, checked_at: null });
  });

  test('for months changes nothing more, and takes no longer', () => {
    const body = statusAfter([target('bot_api'), ...rounds('ooo')], countedAt(99 * 24 * 60));
    expect(body.components[0]).toMatchObject({
      state: 'unknown',
      since: shownAt(5),
      checked_at: expect.any(String),
    });
  });
});

describe('every number of the policy', () => {
  test('is one that the rules go by', () => {
    const policy = { ...DEFAULT_POLICY, fail_rounds: 5, degraded_rounds: 9, unknown_rounds: 2, settle_s: 0 };
    const stateBy = (letters: string) =>
      statusAfter([target('bot_api'), ...rounds(letters)], countedAt(letters.length - 1), policy).state;
    expect(stateBy('ooffff')).toBe('up');
    expect(stateBy('oofffff')).toBe('down');
    expect(stateBy('oo--')).toBe('unknown');
    const { since } = statusAfter([target('bot_api'), ...rounds('oo')], countedAt(1), policy);
    expect(since).toBe('2026-11-20T10:02:00Z');
  });
});
