import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { status, type Status } from '../../src/monitor/status-schema.ts';
import type { HourView } from '../../projections/monitor/document.ts';
import { lastCounted } from '../../src/monitor/rounds.ts';
import { advanceHour, type HourSummary } from '../../src/monitor/hour-summary.ts';
import { DEFAULT_POLICY } from '../../src/monitor/policy.ts';
import { firstRecentHour } from '../../src/monitor/latency.ts';
import type { TargetData } from '../../src/monitor/target-history.ts';
import { statusOf } from '../../src/monitor/status.ts';
import type { MonitorEvent } from '../../src/events/monitor-events.ts';
import { createRandom } from '../../src/sample/random.ts';
import { simulatedHistory } from '../../src/sample/simulated/history.ts';
import { LAW_CASES } from '../support/laws.ts';
import {
  countedAt,
  FIRST,
  inTime,
  MINUTE,
  probe,
  redefined,
  rounds,
  target,
  watched,
} from '../support/monitor.ts';
import { naiveStatus } from '../support/naive-monitor.ts';
import { decoded } from '../support/events.ts';

/** The status, against an independent computation and whatever the order in which probes arrive. */

/** Rounds in which every rule has its chance: runs of one letter, of any length up to twelve. */
const letters = fc
  .array(
    fc.tuple(
      fc.constantFrom('o', 'o', 'w', 's', 'f', '-'),
      fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 })),
    ),
    { maxLength: 16 },
  )
  .map((runs) => runs.map(([letter, length]) => letter.repeat(length)).join(''));

/** One place alone may say something else, or say two things. */
const stray = fc
  .record({
    round: fc.nat({ max: 100 }).map((index) => FIRST + index),
    vantage_point: fc.constantFrom('eu', 'us', 'constructor'),
    result: fc.constantFrom('ok', 'slow', 'fail'),
    offset: fc.integer({ min: -500_000, max: 500_000 }),
    latency_ms: fc.nat({ max: 5000 }),
    cause: fc.constantFrom('dns', 'tls', null),
  })
  .map(({ offset, latency_ms, cause, ...told }) =>
    probe({
      ...told,
      checked_at: new Date(told.round * MINUTE + offset).toISOString(),
      latency_ms: told.result === 'fail' ? null : latency_ms,
      cause: told.result === 'fail' ? cause : null,
    }),
  );

const histories = fc
  .record({
    bot: letters,
    client: letters,
    late: fc.nat({ max: 40 }),
    strays: fc.array(stray, { maxLength: 12 }),
    isCritical: fc.boolean(),
    removals: fc.array(fc.integer({ min: -120_000, max: 100 * MINUTE }), { maxLength: 2 }),
    index: fc.nat({ max: 160 }),
  })
  .map(({ bot, client, late, strays, isCritical, removals, index }) => ({
    events: [
      target('bot_api'),
      target('client', isCritical),
      ...rounds(bot),
      ...rounds(client, { target: 'client', round: FIRST + late }),
      ...strays,
      ...removals.flatMap((at, count) =>
        redefined('bot_api', FIRST * MINUTE + at, { revision: 2 * count + 2 }),
      ),
    ] satisfies MonitorEvent[],
    now: countedAt(index),
  }));

/** All but the texts, which nobody computes twice, and staleness, which is not the rounds' alone. */
function statusAt(targets: readonly TargetData[], now: number): Status {
  return statusOf(targets, now, DEFAULT_POLICY, inTime(now));
}

/** A target with its closed hours summarised, and the hours that must still be read. */
function summarised(whole: TargetData, now: number, summaries = chained(whole.hours)): TargetData {
  const through = lastCounted(now, DEFAULT_POLICY);
  const closed = summaries.filter(({ hour }) => hour * 60 + 59 <= through);
  const recent = Math.min(firstRecentHour(through), (closed.at(-1)?.hour ?? 0) + 1);
  return { ...whole, summaries: closed, hours: whole.hours.filter(({ hour }) => hour >= recent) };
}

function chained(hours: readonly HourView[]): readonly HourSummary[] {
  const summaries: HourSummary[] = [];
  for (const hour of hours) {
    const summary = advanceHour(summaries.at(-1) ?? null, hour, DEFAULT_POLICY);
    // Kept as JSON, like any document.
    summaries.push(JSON.parse(JSON.stringify(summary)) as HourSummary);
  }
  return summaries;
}

describe('every status', () => {
  test('is what looking back over all rounds one by one gives', () => {
    fc.assert(
      fc.property(histories, ({ events, now }) => {
        expectAlike(statusAt(watched(events), now), naiveStatus(events, now, DEFAULT_POLICY));
      }),
      { numRuns: LAW_CASES },
    );
  });

  test('fits the schema of the body, field by field, and no incident ends before it starts', () => {
    fc.assert(
      fc.property(histories, ({ events, now }) => {
        const body = statusAt(watched(events), now);
        expect(status.parse(body)).toEqual(body);
        for (const { started_at, resolved_at } of body.incidents)
          expect(Date.parse(resolved_at ?? started_at)).toBeGreaterThanOrEqual(Date.parse(started_at));
      }),
      { numRuns: LAW_CASES },
    );
  });

  test('is the same bytes whatever the order of the probes, and however often each one came', () => {
    fc.assert(
      fc.property(histories, fc.nat(), ({ events, now }, seed) => {
        const expected = JSON.stringify(statusAt(watched(events), now));
        const again = watched(rearranged(events, seed));
        expect(JSON.stringify(statusAt(again.toReversed(), now))).toBe(expected);
      }),
      { numRuns: LAW_CASES },
    );
  });

  test('is the same bytes from summaries of closed hours as from all rounds at once', () => {
    fc.assert(
      fc.property(histories, ({ events, now }) => {
        const whole = watched(events);
        const short = whole.map((one) => summarised(one, now));
        expect(JSON.stringify(statusAt(short, now))).toBe(JSON.stringify(statusAt(whole, now)));
      }),
      { numRuns: LAW_CASES },
    );
  });
});

/** Of every 1,000 rounds 50 in which the prober comes and goes: the state changes too often then. */
function isSilent(round: number): boolean {
  return round % 1000 < 50 && round % 5 < 3;
}

/** The same values in another order, and some of them twice. */
function rearranged<T>(values: readonly T[], seed: number): readonly T[] {
  const random = createRandom(`rearranged ${seed}`);
  const dealt = values.flatMap((value) => (random.uniform() < 0.1 ? [value, value] : [value]));
  const keyed = dealt.map((value) => ({ value, key: random.uniform() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

describe('three days of a simulated history', () => {
  const endMs = (FIRST + 3 * 24 * 60) * MINUTE;
  const events = [...simulatedHistory({ entries: 1, days: 3, events: 39_500, seed: 1, endMs })]
    .filter(({ type }) => type.startsWith('monitor.'))
    .map((event) => decoded(event) as MonitorEvent)
    .filter((event) => event.type !== 'monitor.probe.completed' || !isSilent(event.data.round));
  const whole = watched(events);
  const summaries = whole.map(({ hours }) => chained(hours));
  const shortAt = (now: number) => whole.map((one, index) => summarised(one, now, summaries[index]));
  /** Moments all over the three days and a little beyond; a third of them in a usual run. */
  const apart = LAW_CASES < 1000 ? 3 * 241 : 241;
  const moments = Array.from({ length: (18 * 241) / apart + 1 }, (_, index) => countedAt(index * apart));

  test('hold outages, slow spells, flapping and silence', () => {
    const bodies = Array.from({ length: 97 }, (_, index) => countedAt(index * 45)).map((now) =>
      statusAt(shortAt(now), now),
    );
    const seen = new Set(bodies.flatMap((body) => body.components.map(({ state }) => state)));
    expect(seen).toEqual(new Set(['up', 'degraded', 'down', 'unknown']));
    expect(new Set(bodies.map(({ indicator }) => indicator)).size).toBeGreaterThanOrEqual(4);
    expect(new Set(bodies.map(({ flapping }) => flapping)).size).toBe(2);
    expect(bodies.at(-1)?.incidents.length).toBeGreaterThan(3);
  });

  test('equal an independent computation at every moment, whatever the order of the probes', () => {
    const shuffled = watched(rearranged(events, 7));
    const backwards = watched(events.toReversed());
    for (const now of moments) {
      const body = statusAt(whole, now);
      expectAlike(body, naiveStatus(events, now, DEFAULT_POLICY));
      expect(JSON.stringify(statusAt(shuffled, now))).toBe(JSON.stringify(body));
      expect(JSON.stringify(statusAt(backwards, now))).toBe(JSON.stringify(body));
    }
  });
});

type Naive = ReturnType<typeof naiveStatus>;

/** Equal but for texts and staleness, which nobody computes twice, and latencies, which may be 2.5 % off. */
function expectAlike(served: Status, naive: Naive): void {
  const { text: _text, stale: _stale, policy: _policy, ...body } = served;
  expect(withoutLatency(body)).toEqual(withoutLatency(naive));
  for (const [index, { latency_ms }] of naive.components.entries()) {
    expectNear(body.components[index]?.latency_ms, latency_ms);
  }
  expectNear(body.latency_ms, naive.latency_ms);
}

function expectNear(shown: Status['latency_ms'] | undefined, exact: Status['latency_ms']): void {
  for (const window of ['1h', '24h'] as const) {
    for (const percentile of ['p50', 'p95', 'p99'] as const) {
      const [ours, theirs] = [shown?.[window][percentile] ?? null, exact[window][percentile]];
      expect(ours === null).toBe(theirs === null);
      expect(Math.abs((ours ?? 0) - (theirs ?? 0))).toBeLessThanOrEqual(0.025 * (theirs ?? 0));
    }
  }
}

function withoutLatency(body: Naive) {
  return {
    ...body,
    latency_ms: null,
    components: body.components.map((component) => ({ ...component, latency_ms: null })),
  };
}
