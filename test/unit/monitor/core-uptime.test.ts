import { expect, test } from 'vitest';

import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { coreUptimeOf, timelinesOf } from '../../../src/monitor/timelines.ts';
import { countedAt, rounds, statusAfter, target, watched } from '../../support/monitor.ts';

const LENGTH = 100;

function coreAfter(letters: Readonly<Record<string, string>>, critical = true) {
  const now = countedAt(LENGTH - 1);
  const events = Object.entries(letters).flatMap(([id, told]) => [
    target(id, critical),
    ...rounds(told.padEnd(LENGTH, 'o'), { target: id }),
  ]);
  const reading = { lagMs: 0, readAt: now, storesDown: false };
  const { core } = timelinesOf(watched(events), now, DEFAULT_POLICY, reading);
  return { core, uptime: statusAfter(events, now).uptime };
}

test('an outage of one critical target counts, though the platform as a whole was not down', () => {
  // Down from the fifth round until the eighth counts: 3 of the 98 minutes that are known.
  const { core, uptime } = coreAfter({ bot_api: 'oofffoo', web: 'o' });
  expect(uptime['24h'].pct).toBe(100);
  expect(core?.['24h']).toBe(97.95);
  expect(core?.['90d']).toBe(97.95);
});

test('problems without an outage, and outages of other targets, do not count', () => {
  expect(coreAfter({ bot_api: 'ooowww', web: 'o' }).core?.['24h']).toBe(100);
  expect(coreAfter({ bot_api: 'oofff' }, false).core).toBeNull();
});

test('nothing is told of a time in which nothing is known', () => {
  expect(coreAfter({ bot_api: '-'.repeat(LENGTH) }).core).toBeNull();
});

test('an outage however short leaves less than 100', () => {
  const transitions = [
    { at: 0, state: 'up' },
    { at: 60_000, state: 'down' },
    { at: 61_000, state: 'up' },
  ] as const;
  const core = coreUptimeOf([{ target: { critical: true }, transitions }], 90 * 86_400_000);
  expect(core).toEqual({ '24h': 100, '7d': 100, '30d': 100, '90d': 99.99 });
});
