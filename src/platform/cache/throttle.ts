import type { Clock } from '../time/clock.ts';

/**
 * The same work, begun at most every so often, and never twice at a time: whoever asks in between is told what came of it
 * last, or waits for what is under way.
 */
export function throttle(
  ms: number,
  clock: Pick<Clock, 'monotonic'>,
  work: () => Promise<void>,
): () => Promise<void> {
  let latest: Promise<void> | null = null;
  let isUnderWay = false;
  let begunAt = 0;
  return () => {
    const now = clock.monotonic();
    if (latest !== null && (isUnderWay || now - begunAt < ms)) return latest;
    begunAt = now;
    isUnderWay = true;
    latest = work().finally(() => (isUnderWay = false));
    return latest;
  };
}

/** Of what `/readyz` tries in a store, in milliseconds. */
export const PROBE_MS = 5000;
