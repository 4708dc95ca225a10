import type { Clock } from '../../../platform/time/clock.ts';

/** The least time between two pings, in milliseconds; up to a fifth more is drawn, so that processes spread out. */
const PING_MS = 1000;

/**
 * Holds calls back while a server is away:
 *
 *   there --a call cannot reach it--> away --a ping is answered--> there
 *
 * The first ping goes out at once, so that one connection that broke costs a moment. Then there is one a second, for
 * all the calls that wait: by itself the driver makes a new connection for each attempt of each call.
 */
export class Reachability {
  readonly #ping: () => Promise<unknown>;
  readonly #clock: Clock;
  #isAway = false;
  #pinging: Promise<void> | null = null;
  #pingedAt = Number.NEGATIVE_INFINITY;

  constructor(ping: () => Promise<unknown>, clock: Clock) {
    this.#ping = ping;
    this.#clock = clock;
  }

  lost(): void {
    this.#isAway = true;
  }

  /** Resolves when the server is there, as far as is known; fails as the ping does where it is not. */
  async reached(): Promise<void> {
    if (!this.#isAway) return;
    this.#pinging ??= this.#pingOnce();
    await this.#pinging;
  }

  async #pingOnce(): Promise<void> {
    try {
      const since = this.#clock.monotonic() - this.#pingedAt;
      if (since < PING_MS) await this.#clock.sleep(PING_MS - since + (Math.random() * PING_MS) / 5);
      this.#pingedAt = this.#clock.monotonic();
      await this.#ping();
      this.#isAway = false;
    } finally {
      this.#pinging = null;
    }
  }
}
