import { describe, expect, test } from 'vitest';

import { LATENCY_DAYS, latencySteps, STEP_HOURS, STEP_MS } from '../../../src/monitor/latency.ts';
import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { timelinesOf } from '../../../src/monitor/timelines.ts';
import { countedAt, FIRST, inTime, probe, target, watched } from '../../support/monitor.ts';

const HOUR = 60;
const HOURS = LATENCY_DAYS * 24;
/** The rounds of a week end with this one: 10:00 of the last day. */
const LAST = FIRST;

function stepsAfter(probes: readonly Parameters<typeof probe>[0][], component = 'bot_api') {
  const events = [target('bot_api'), target('client'), ...probes.map(probe)];
  const now = countedAt(0);
  const timelines = timelinesOf(watched(events), now, DEFAULT_POLICY, inTime(now));
  return timelines.components.get(component)?.latency ?? [];
}

describe('steps of latencies', () => {
  test('are those of a week, the same for all targets, and end with the step of the last round', () => {
    const probes = [{ round: LAST }];
    const steps = stepsAfter(probes);
    expect(steps).toHaveLength(HOURS / STEP_HOURS);
    expect(steps.at(-1)?.at).toBe(Date.parse('2026-11-20T09:00:00Z'));
    expect(steps[0]?.at).toBe(Number(steps.at(-1)?.at) - (steps.length - 1) * STEP_MS);
    expect(stepsAfter(probes, 'client').map(({ at }) => at)).toEqual(steps.map(({ at }) => at));
  });

  test('have the percentiles of all checks in their hours, and nothing where nobody measured', () => {
    const steps = stepsAfter([
      // Two hours of one step, the step before, and the last one.
      { round: LAST - 4 * HOUR, latency_ms: 100 },
      { round: LAST - 3 * HOUR, latency_ms: 1000 },
      { round: LAST - 7 * HOUR, latency_ms: 10 },
      { round: LAST, latency_ms: 400 },
    ]);
    const [tenth, mixed, last] = [steps.at(-3), steps.at(-2), steps.at(-1)];
    expect(tenth?.p50).toBeCloseTo(10, 0);
    expect(mixed?.p50).toBeCloseTo(100, -1);
    expect((mixed?.p95 ?? 0) / 1000).toBeCloseTo(1, 1);
    expect((last?.p50 ?? 0) / 400).toBeCloseTo(1, 1);
    expect(steps.at(-4)).toEqual({ at: Number(steps.at(-1)?.at) - 3 * STEP_MS, p50: null, p95: null });
  });

  test('leave out failed checks, and what is older than a week', () => {
    const steps = stepsAfter([
      { round: LAST - HOURS * HOUR, latency_ms: 5 },
      { round: LAST - 2 * HOUR, result: 'fail' },
      { round: LAST, latency_ms: 50 },
    ]);
    expect(steps.filter(({ p50 }) => p50 !== null)).toHaveLength(1);
  });

  test('are none where nothing was ever counted', () => {
    expect(latencySteps([], null)).toEqual([]);
  });
});
