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
export class IdleRest {
  readonly #parts: IdleRestParts;
  #pollMs: number;
  /** Ends a rest. */
  #resting = new AbortController();

  constructor(parts: IdleRestParts) {
    this.#parts = parts;
    this.#pollMs = parts.pollMs;
  }

  /** There was something to do: the next rest is short. */
  shorten(): void {
    this.#pollMs = this.#parts.pollMs;
  }

  /** The same, and a rest that has begun ends soon. */
  nudge(): void {
    this.shorten();
    this.#resting.abort(NUDGED);
  }

  /** What follows a nudge within the shortest rest is found together with it. */
  async take(): Promise<void> {
    const { clock, signal } = this.#parts;
    const resting = new AbortController();
    const stop = (): void => resting.abort(NUDGED);
    this.#resting = resting;
    signal.addEventListener('abort', stop);
    if (!signal.aborted) await clock.sleep(this.#pollMs, resting.signal);
    signal.removeEventListener('abort', stop);
    if (resting.signal.aborted) await clock.sleep(this.#pollMs, signal);
    this.#pollMs = Math.min(2 * this.#pollMs, this.#parts.idlePollMs);
  }
}
