import { expect, test } from 'vitest';

import type { State, Transition } from '../../../src/monitor/machine-state.ts';
import { uptimeOf } from '../../../src/monitor/uptime.ts';

const HOUR = 3_600_000;
const END = Date.parse('2026-11-20T10:00:15Z');
/** A timeline of states, each for so many hours, that ends at `END`. */
function timeline(...spells: readonly (readonly [state: State, hours: number])[]): readonly Transition[] {
  let at = END - spells.reduce((sum, [, hours]) => sum + hours * HOUR, 0);
  return spells.map(([state, hours]) => {
    const transition = { at, state };
    at += hours * HOUR;
    return transition;
  });
}

test('uptime looks back exactly as far as its window', () => {
  const { '24h': day, '7d': week } = uptimeOf(timeline(['down', 24], ['up', 24]), END);
  expect(day).toEqual({ pct: 100, coverage: 1 });
  expect(week).toEqual({ pct: 50, coverage: 0.29 });
});
