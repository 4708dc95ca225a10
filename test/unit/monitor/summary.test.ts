import { describe, expect, test } from 'vitest';

import { advanceHour } from '../../../src/monitor/summary.ts';
import { hourSummary, type HourSummary, isCurrent } from '../../../src/monitor/hour-summary.ts';
import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { rounds, target, watched } from '../../support/monitor.ts';

/** The summaries of all hours of these rounds, each made from the one before. */
function chain(letters: string, policy = DEFAULT_POLICY): readonly HourSummary[] {
  const [whole] = watched([target('bot_api'), ...rounds(letters)]);
  const summaries: HourSummary[] = [];
  for (const hour of whole?.hours ?? []) {
    summaries.push(advanceHour(summaries.at(-1) ?? null, hour, policy));
  }
  return summaries;
}

const HOUR = 'o'.repeat(60);

describe('the summary of an hour', () => {
  test('has a JSON form that fits its schema, and is small', () => {
    for (const summary of chain(`${HOUR}ooo fff oo ${HOUR} w--- ${HOUR}`)) {
      expect(hourSummary.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
      expect(JSON.stringify(summary).length).toBeLessThan(3000);
    }
  });
});

describe('a summary that was kept', () => {
  const [first, second] = chain(`${HOUR}${HOUR}`);

  test('holds while the one before it ends in the same state, whatever order its keys come in', () => {
    if (!first || !second) throw new Error('There are two hours');
    const turned = Object.fromEntries(Object.entries(first.end).toReversed()) as HourSummary['end'];
    expect(isCurrent(first, null, DEFAULT_POLICY)).toBe(true);
    expect(isCurrent(second, { ...first, end: turned }, DEFAULT_POLICY)).toBe(true);
  });

  test('is made again after another beginning, and by another policy', () => {
    if (!first || !second) throw new Error('There are two hours');
    const [failing] = chain(`${'o'.repeat(59)}f`);
    expect(isCurrent(second, failing ?? null, DEFAULT_POLICY)).toBe(false);
    expect(isCurrent(second, null, DEFAULT_POLICY)).toBe(false);
    expect(isCurrent(second, first, { ...DEFAULT_POLICY, reopen_s: 0 })).toBe(false);
  });

  test('holds again an hour after the oldest hour was swept: what is long ago leaves no trace', () => {
    const [whole] = watched([target('bot_api'), ...rounds(`fff ${HOUR}${HOUR}${HOUR} ww`)]);
    const hours = whole?.hours ?? [];
    const all = chain(`fff ${HOUR}${HOUR}${HOUR} ww`);
    const [, swept, next] = hours;
    if (!swept || !next) throw new Error('There are hours');
    const again = advanceHour(null, swept, DEFAULT_POLICY);
    // Only the closed incident of the swept hour is gone.
    expect({ ...again.end, incident: null }).toEqual({ ...all[1]?.end, incident: null });
  });
});
