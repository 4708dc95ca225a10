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
export function createReachability(ping: () => Promise<void>, clock: Clock) {
  let isAway = false;
  let pinging: Promise<void> | null = null;
  let pingedAt = Number.NEGATIVE_INFINITY;

  async function pingOnce(): Promise<void> {
    const since = clock.monotonic() - pingedAt;
    if (since < PING_MS) await clock.sleep(PING_MS - since + (Math.random() * PING_MS) / 5);
    pingedAt = clock.monotonic();
    await ping();
    isAway = false;
  }

  return {
    lost: (): void => void (isAway = true),
    /** Resolves when the server is there, as far as is known; fails as the ping does where it is not. */
    reached: async (): Promise<void> => {
      if (isAway) await (pinging ??= pingOnce().finally(() => (pinging = null)));
    },
  };
}
