import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { bucketOf } from '../../../projections/monitor/latency-bucket.ts';
import { merged, percentilesOf } from '../../../src/monitor/histogram.ts';

const histogram = (latencies: readonly number[]) =>
  merged([latencies.map((latency) => [bucketOf(latency), 1])]);
const latency = fc.oneof(
  fc.nat({ max: 30_000 }),
  fc.double({ min: 0.001, max: 1e9, noNaN: true }),
  fc.constant(0),
);

describe('percentiles', () => {
  test('of any latencies are at most 2.5 % off', () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), (latencies) => {
        const sorted = latencies.toSorted((a, b) => a - b);
        const shown = percentilesOf(histogram(latencies));
        for (const percent of [50, 95, 99] as const) {
          const exact = sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
          expect(Math.abs((shown[`p${percent}`] ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.025 * exact);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('of merged histograms are those of all latencies together', () => {
    fc.assert(
      fc.property(fc.array(fc.array(latency, { maxLength: 20 }), { maxLength: 6 }), (parts) => {
        expect(merged(parts.map(histogram))).toEqual(histogram(parts.flat()));
      }),
      { numRuns: 1000 },
    );
  });

  test('have a JSON form whatever upstream calls a latency', () => {
    for (const extreme of [Number.MAX_VALUE, Number.MIN_VALUE, 0]) {
      expect(percentilesOf(histogram([extreme])).p50).toBeGreaterThanOrEqual(0);
      expect(percentilesOf(histogram([extreme])).p50).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });
});
