import type { Clock } from '../../../platform/time/clock.ts';

/** The longest time that a timer can be set to, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * What is written to the log's file. Whoever waits is told of a write of this process at once, and within `pollMs` of one
 * of another process: `PRAGMA data_version` says that something was committed. One loop looks for all who wait, and ends
 * with the last of them.
 */
export class CommitWatch {
  readonly #dataVersion: () => number;
  readonly #clock: Clock;
  readonly #pollMs: number;
  #next = new AbortController();
  #seen: number;
  #waiting = 0;
  #isLooking = false;

  /** @param dataVersion differs from its last answer where another connection has committed something since. */
  constructor(dataVersion: () => number, clock: Clock, pollMs: number) {
    this.#dataVersion = dataVersion;
    this.#clock = clock;
    this.#pollMs = pollMs;
    this.#seen = dataVersion();
  }

  /** Aborted by the next write. Take it before looking for what is new, so that nothing slips in before the wait begins. */
  get next(): AbortSignal {
    return this.#next.signal;
  }

  /** Tells everybody who waits. */
  tell(): void {
    this.#next.abort();
    this.#next = new AbortController();
  }

  /** Resolves after `waitMs`, or as soon as one of the signals is aborted. True where the time is over. */
  async wait(waitMs: number, signals: readonly AbortSignal[]): Promise<boolean> {
    const ended = AbortSignal.any([...signals]);
    this.#waiting += 1;
    if (!this.#isLooking) void this.#look();
    await this.#clock.sleep(Math.min(waitMs, LONGEST_MS), ended);
    this.#waiting -= 1;
    return !ended.aborted;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting > 0) {
      await this.#clock.sleep(this.#pollMs);
      const version = this.#version();
      if (version !== this.#seen) this.tell();
      this.#seen = version;
    }
    this.#isLooking = false;
  }

  /** A file that cannot be asked counts as changed: the reader that is told meets the error where it is handled. */
  #version(): number {
    try {
      return this.#dataVersion();
    } catch {
      return Number.NaN;
    }
  }
}
