import { type Clock, systemClock } from '../../src/platform/time/clock.ts';

/** A clock that stands still until a test moves it on. Its wall time may jump besides, both ways. */
export interface TestClock extends Clock {
  /** The wall time. Setting it lets no time pass: nobody wakes up. */
  time: number;
  /** Lets so much time pass, and wakes whoever's time has come; a negative one sets the wall time back. */
  advance(ms: number): void;
  /** Moves on to where somebody wakes up, or to `end`; not at all where nobody sleeps and no end is given. */
  advanceToNext(end?: number): void;
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

export function createTestClock(time = 0): TestClock {
  let passed = 0;
  const sleepers = new Set<Sleeper>();
  const awaited: { readonly ms: number; readonly resolve: () => void }[] = [];
  const clock: TestClock = {
    time,
    now: () => clock.time,
    monotonic: () => passed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => (sleepers.delete(sleeper), resolve());
        const sleeper: Sleeper = { ms, until: passed + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        if (signal?.aborted) wake();
        for (const one of awaited) if (one.ms === ms) one.resolve();
      }),
    advance: (ms) => {
      clock.time += ms;
      passed += Math.max(0, ms);
      for (const { until, wake } of sleepers) if (until <= passed) wake();
    },
    advanceToNext: (end = Infinity) => {
      const next = Math.min(end - clock.time, ...[...sleepers].map(({ until }) => until - passed));
      if (next < Infinity) clock.advance(next);
    },
    jump: (ms) => void (clock.time += ms),
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

export interface FakeClock extends Clock {
  /** How much time has passed. */
  time: number;
  /** How far the wall time has been set on, or back, meanwhile. */
  jumpedMs: number;
  readonly slept: number[];
  /** How many sleeps of this length are going on. */
  pending(ms: number): number;
}

/** Tells the time that it is set to; its sleeps are real, but short. */
export function fakeClock(time: number): FakeClock {
  const slept: number[] = [];
  const sleeping: number[] = [];
  return {
    time,
    jumpedMs: 0,
    slept,
    pending: (ms) => sleeping.filter((other) => other === ms).length,
    now() {
      return this.time + this.jumpedMs;
    },
    monotonic() {
      return this.time;
    },
    sleep: async (ms, signal) => {
      slept.push(ms);
      sleeping.push(ms);
      await systemClock.sleep(Math.min(ms, 5), signal);
      sleeping.splice(sleeping.indexOf(ms), 1);
    },
  };
}
