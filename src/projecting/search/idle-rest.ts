import type { Arriving } from '../../platform/arrivals.ts';
import type { Clock } from '../../platform/clock.ts';
import { rest } from '../../platform/rest.ts';

interface IdleRestParts {
  readonly clock: Clock;
  /** Of the documents that are looked at, where their store tells of writes. */
  readonly arriving: Arriving | undefined;
  /** The shortest rest, in milliseconds. */
  readonly pollMs: number;
  /** The longest one where the store does not tell of writes: it doubles while there is nothing to do. */
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

  /**
   * Until something is written, where the store tells of that, or something else may be due in `idleMs`; `pollMs` at least.
   * `since` is the generation of writes that was looked at.
   */
  async take(since: number, idleMs: number): Promise<void> {
    const { clock, arriving, signal } = this.#parts;
    const began = clock.monotonic();
    await arriving?.wait(since, idleMs, [signal]);
    const left = this.#pollMs - (clock.monotonic() - began);
    if (arriving) {
      if (left > 0) await clock.sleep(left, signal);
      return;
    }
    await this.#unlessNudged(Math.max(0, left));
    this.#pollMs = Math.min(2 * this.#pollMs, this.#parts.idlePollMs);
  }

  /** What follows a nudge within the shortest rest is found together with it. */
  async #unlessNudged(ms: number): Promise<void> {
    const { clock, signal } = this.#parts;
    const resting = new AbortController();
    const stop = (): void => resting.abort(NUDGED);
    this.#resting = resting;
    signal.addEventListener('abort', stop);
    if (!signal.aborted) await rest(clock, ms, resting.signal);
    signal.removeEventListener('abort', stop);
    if (resting.signal.aborted) await clock.sleep(this.#pollMs, signal);
  }
}
