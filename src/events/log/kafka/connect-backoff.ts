import type { Clock } from '../../../platform/time/clock.ts';

/** At least this long between two attempts to connect while they fail; half as much again is drawn at random. */
const PAUSE_MS = 1000;
/** A client that lived for less than this counts as an attempt that failed. */
const SHORT_LIFE_MS = 5000;

export type Backoff = ReturnType<typeof createBackoff>;

/**
 * All connecting of one process to one cluster: while it fails, one attempt a second at most, however many wait. The
 * first that succeeds lets the others through.
 */
export function createBackoff(clock: Clock, random: () => number = Math.random) {
  let turn: Promise<unknown> = Promise.resolve();
  let notBefore = 0;
  const failed = (): void => {
    notBefore = clock.monotonic() + PAUSE_MS * (1 + random() / 2);
  };
  const one = async <T>(connect: () => Promise<T>): Promise<T> => {
    const pause = notBefore - clock.monotonic();
    if (pause > 0) await clock.sleep(pause);
    try {
      const connected = await connect();
      notBefore = 0;
      return connected;
    } catch (thrown) {
      failed();
      throw thrown;
    }
  };
  return {
    attempt: <T>(connect: () => Promise<T>): Promise<T> => {
      const attempt = turn.then(() => one(connect));
      turn = attempt.catch(() => undefined);
      return attempt;
    },
    /** Tells of a client that was connected at `since`, by the monotonic clock, and is lost. */
    lost: (since: number): void => {
      if (clock.monotonic() - since < SHORT_LIFE_MS) failed();
    },
  };
}
