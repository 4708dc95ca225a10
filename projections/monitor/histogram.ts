/**
 * Latency histograms with logarithmic buckets, which can be merged without loss (the idea of DDSketch: Masson, Rim and
 * Lee, 2019). A bucket's value is within 1.9 % of every latency in it, and showing three significant digits adds at
 * most 0.5 %: together less than 2.5 %.
 */

/** How many latencies each bucket holds, as pairs ascending by bucket. */
export type Histogram = readonly (readonly [bucket: number, count: number])[];

export interface Percentiles {
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

const ACCURACY = 0.019;
const LOG_GAMMA = Math.log((1 + ACCURACY) / (1 - ACCURACY));
/** Lies below the bucket of the smallest number there is, and holds exact zeros. */
const ZERO = -30_000;
const SHOWN_DIGITS = 3;

/** The bucket of a latency: a finite number >= 0. */
export function bucketOf(latency: number): number {
  return latency === 0 ? ZERO : Math.ceil(Math.log(latency) / LOG_GAMMA);
}

/** The histogram of buckets, each as often as it is listed. */
export function histogramOf(buckets: readonly number[]): Histogram {
  return merged([buckets.map((bucket) => [bucket, 1])]);
}

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

/** The latency that is as far, in proportion, from one end of the bucket as from the other. */
function latencyOf(bucket: number): number {
  if (bucket === ZERO) return 0;
  const middle = Math.exp(bucket * LOG_GAMMA) * (1 - ACCURACY);
  const shown = Number(middle.toPrecision(SHOWN_DIGITS));
  // Upstream may call anything a latency; it must still have a JSON form.
  return Math.min(shown, Number.MAX_VALUE);
}
