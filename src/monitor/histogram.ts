import { latencyOf } from '../../projections/monitor/latency-bucket.ts';
import type { HourView } from '../../projections/monitor/document.ts';
import type { Percentiles } from './status-schema.ts';

/** Latency histograms, which can be merged without loss. */

/** How many latencies each bucket holds, as pairs ascending by bucket. */
export type Histogram = readonly (readonly [bucket: number, count: number])[];

export function merged(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

/** By nearest rank: the smallest latency that so many per cent of all do not exceed. Null where there is none. */
export function percentilesOf(histogram: Histogram): Percentiles {
  return { p50: percentile(histogram, 50), p95: percentile(histogram, 95), p99: percentile(histogram, 99) };
}

function percentile(histogram: Histogram, percent: number): number | null {
  const total = histogram.reduce((sum, [, count]) => sum + count, 0);
  // In whole numbers: 0.95 x 20 is a little more than 19 in binary.
  const rank = Math.ceil((total * percent) / 100);
  let passed = 0;
  for (const [bucket, count] of histogram) {
    passed += count;
    if (passed >= rank) return latencyOf(bucket);
  }
  return null;
}

/** The latencies of successful checks in stored rounds. */
export function latenciesOf(rounds: HourView['rounds']): Histogram {
  const checks = rounds.flatMap((round) => round.checks).filter(({ result }) => result !== 'fail');
  return merged([checks.flatMap(({ latency }) => (latency === null ? [] : [[latency, 1] as const]))]);
}
