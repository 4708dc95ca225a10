import { describe, expect, test } from 'vitest';

import { unixMs } from '../../../src/platform/time/instant.ts';
import { FIRST_ROUNDS, HISTORY_ROUNDS, historyProbes, sampleEvents } from '../../../src/sample/sample.ts';
import { statusAfter } from '../../support/monitor.ts';
import { END, sorted } from '../../support/sample-events.ts';

const events = sampleEvents(END)
  .filter(({ type }) => type.startsWith('monitor.'))
  .toArray();
const probes = events.filter(({ type }) => type === 'monitor.probe.completed.v1');
const { monitored } = sorted(events);

test('the generated probes are of three targets from three vantage points, one in every round of the last two hours', () => {
  const last = Math.floor(unixMs(END) / 60_000) - 1;
  const names = probes.map(({ subject, data }) =>
    [subject, data['vantage_point'], data['round']].map(String).join('/'),
  );
  const expected = ['bot_api', 'client', 'web'].flatMap((target) =>
    ['ap', 'eu', 'us'].flatMap((point) =>
      Array.from({ length: FIRST_ROUNDS }, (_, age) => `${target}/${point}/${last - age}`),
    ),
  );
  expect(names.toSorted()).toEqual(expected.toSorted());
  expect(probes.filter(({ time }) => time > END)).toEqual([]);
});

describe('the probes of the older history', () => {
  const last = Math.floor(unixMs(END) / 60_000) - 1;
  const history = { first: last - HISTORY_ROUNDS + 1, last: last - FIRST_ROUNDS };
  const older = [...historyProbes(history)];
  const decodedOlder = sorted(older);

  test('are valid events, about 1,500 a day', () => {
    expect(older.length / 90).toBeGreaterThan(1440);
    expect(older.length / 90).toBeLessThan(1700);
    expect(decodedOlder.unfit).toEqual([]);
  });

  test('leave no gap in 90 days, and show faults that the last two hours do not', () => {
    const { uptime, components, incidents, state } = statusAfter(
      [...monitored, ...decodedOlder.monitored],
      unixMs(END) + 15_000,
    );
    expect(state).toBe('up');
    expect(uptime['90d'].coverage).toBe(1);
    expect(uptime['30d'].coverage).toBe(1);
    for (const component of components) {
      const { pct, coverage } = component.uptime['90d'];
      expect(coverage).toBe(1);
      expect(pct).toBeGreaterThan(99);
      expect(pct).toBeLessThan(100);
    }
    expect(incidents).toHaveLength(10);
  });
});
