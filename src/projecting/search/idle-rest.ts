import type { Clock } from '../../platform/time/clock.ts';

interface IdleRestParts {
  readonly clock: Clock;
  /** The shortest rest, in milliseconds. */
  readonly pollMs: number;
  /** The longest one: it doubles while there is nothing to do. */
  readonly idlePollMs: number;
  readonly signal: AbortSignal;
}

/** Given, because the reason that a controller makes by itself takes the stack. */
const NUDGED = 'nudged';

/** How a feeder that has found nothing to do waits until it looks again. */
export function createIdleRest({ clock, pollMs, idlePollMs, signal }: IdleRestParts) {
  let restMs = pollMs;
  /** Ends a rest. */
  let resting = new AbortController();
  /** There was something to do: the next rest is short. */
  const shorten = (): void => void (restMs = pollMs);
  return {
    shorten,
    /** The same, and a rest that has begun ends soon. */
    nudge: (): void => {
      shorten();
      resting.abort(NUDGED);
    },
    /** What follows a nudge within the shortest rest is found together with it. */
    take: async (): Promise<void> => {
      const own = (resting = new AbortController());
      const stop = (): void => own.abort(NUDGED);
      signal.addEventListener('abort', stop);
      if (!signal.aborted) await clock.sleep(restMs, own.signal);
      signal.removeEventListener('abort', stop);
      if (own.signal.aborted) await clock.sleep(restMs, signal);
      restMs = Math.min(2 * restMs, idlePollMs);
    },
  };
}
