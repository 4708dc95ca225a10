/**
 * Latencies are stored as buckets of logarithmic width, whose counts can be merged without loss (the idea of DDSketch:
 * Masson, Rim and Lee, 2019). A bucket's value is within 1.9 % of every latency in it, and showing three significant
 * digits adds at most 0.5 %: together less than 2.5 %.
 */

const ACCURACY = 0.019;
const LOG_GAMMA = Math.log((1 + ACCURACY) / (1 - ACCURACY));
/** Lies below the bucket of the smallest number there is, and holds exact zeros. */
const ZERO = -30_000;
const SHOWN_DIGITS = 3;

/** The bucket of a latency: a finite number >= 0. */
export function bucketOf(latency: number): number {
  return latency === 0 ? ZERO : Math.ceil(Math.log(latency) / LOG_GAMMA);
}

/** The latency that is as far, in proportion, from one end of the bucket as from the other. */
export function latencyOf(bucket: number): number {
  if (bucket === ZERO) return 0;
  const middle = Math.exp(bucket * LOG_GAMMA) * (1 - ACCURACY);
  const shown = Number(middle.toPrecision(SHOWN_DIGITS));
  // Upstream may call anything a latency; it must still have a JSON form.
  return Math.min(shown, Number.MAX_VALUE);
}
