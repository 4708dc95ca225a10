import type { Clock } from '../../src/platform/time/clock.ts';

/** A clock that stands still until a test moves it on. Its wall time may jump besides, both ways. */
export interface TestClock extends Clock {
  /** Wakes whoever's time has come. */
  advance(ms: number): void;
  /** Sets the wall time on, or back; no time passes. */
  jump(ms: number): void;
  /** Resolves as soon as somebody sleeps for so long. */
  sleeping(ms: number): Promise<void>;
  /** Lets such a sleep be over. */
  pass(ms: number): Promise<void>;
}

interface Sleeper {
  readonly ms: number;
  readonly until: number;
  readonly wake: () => void;
}

export function createTestClock(): TestClock {
  let now = 0;
  let jumped = 0;
  const sleepers = new Set<Sleeper>();
  const awaited: { readonly ms: number; readonly resolve: () => void }[] = [];
  const clock: TestClock = {
    now: () => now + jumped,
    monotonic: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper: Sleeper = { ms, until: now + ms, wake: () => (sleepers.delete(sleeper), resolve()) };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
        if (signal?.aborted) sleeper.wake();
        for (const one of awaited) if (one.ms === ms) one.resolve();
      }),
    advance: (ms) => {
      now += ms;
      for (const { until, wake } of sleepers) if (until <= now) wake();
    },
    jump: (ms) => void (jumped += ms),
    sleeping: (ms) =>
      new Promise((resolve) => {
        awaited.push({ ms, resolve });
        if ([...sleepers].some((sleeper) => sleeper.ms === ms)) resolve();
      }),
    pass: async (ms) => {
      await clock.sleeping(ms);
      clock.advance(ms);
    },
  };
  return clock;
}
