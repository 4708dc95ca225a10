import { type Clock, isFresh } from '../time/clock.ts';

/**
 * A value read from the store now and then: at most `minMs` old, or `costFactor` times what it cost to read if that is
 * more, but no more than five seconds. It is
 * - unknown, until it was read for the first time: all who ask share one reading, and its failure;
 * - known: whoever asks gets it at once, and in the last quarter of its time it is read again beside them;
 * - too old: whoever asks waits for the next reading.
 */
export interface ConfirmedValue<T> {
  current(): Promise<T>;
  /** What `current` would answer without a reading; null where it would not. */
  known(): T | null;
  /** For a caller who has seen that the value is behind: read again, unless it has just been. */
  renewed(): Promise<T>;
  /** For a caller who knows better than to use this very value: read again, unless another one has taken its place. */
  insteadOf(value: T): Promise<T>;
}

interface ConfirmedValueOptions<T> {
  /** Returns `previous` itself where nothing has changed, so that what was made from it can be kept. */
  readonly read: (previous: T | null) => Promise<T>;
  readonly clock: Clock;
  readonly minMs: number;
  /**
   * So that reading takes at most 1 / `costFactor` of the time; 0 where only `minMs` counts: then also nobody is given
   * what began to be read longer ago, however long that took.
   */
  readonly costFactor: number;
  /** Whether the first reading costs more than those that follow, and says nothing of what they will. Default false. */
  readonly isFirstDearer?: boolean;
}

/** Reading lists, counts, hits and the taxonomy takes at most a twentieth of the time. */
export const COST_FACTOR = 20;

/**
 * No value gets older than this, whatever it cost: what it cost is measured with all the waiting for a busy store, and a
 * burst of requests must not make answers old for long after it.
 */
const OLDEST_MS = 5000;

/** The part of its time after which a value is read again beside those who ask. */
const AHEAD_AFTER = 0.75;

/** Callers who see that it is behind may renew it more often than its age asks for, but not all the time. */
const RENEWED_COST_FACTOR = 4;

interface ReadValue<T> {
  readonly value: T;
  readonly startedAt: number;
  readonly costMs: number;
}

export function createConfirmedValue<T>(options: ConfirmedValueOptions<T>): ConfirmedValue<T> {
  const { read, clock, minMs, costFactor, isFirstDearer = false } = options;
  let last: ReadValue<T> | null = null;
  let running: Promise<T> | null = null;
  let runningSince = 0;

  return {
    async current() {
      // A failure is met by whoever asks once the value is too old.
      if (last && isNearlyOver(last)) readAgain().catch(() => undefined);
      return await valueWithin(minMs, costFactor);
    },
    known: () => knownWithin(minMs, costFactor),
    renewed: () => valueWithin(0, Math.min(RENEWED_COST_FACTOR, costFactor)),
    async insteadOf(value) {
      if (last?.value !== value) return await valueWithin(minMs, costFactor);
      // What was begun before the caller knew better may say the same again.
      const before = running;
      if (!before) return await readAgain();
      const other = await before;
      return other === value ? await readAgain() : other;
    },
  };

  async function valueWithin(ms: number, factor: number): Promise<T> {
    return knownWithin(ms, factor) ?? (await readAgain());
  }

  function knownWithin(ms: number, factor: number): T | null {
    if (!last) return null;
    return isFresh(last.startedAt, clock.monotonic(), maxAgeOf(last, ms, factor)) ? last.value : null;
  }

  /** Whether it is going to be too old before long. */
  function isNearlyOver(reading: ReadValue<T>): boolean {
    const untilMs = AHEAD_AFTER * maxAgeOf(reading, minMs, costFactor);
    return !isFresh(reading.startedAt, clock.monotonic(), untilMs);
  }

  function readAgain(): Promise<T> {
    const isLate = costFactor === 0 && minMs > 0 && !isFresh(runningSince, clock.monotonic(), minMs);
    if (running && isLate) return afterwards(running);
    running ??= readOnce().finally(() => {
      running = null;
    });
    return running;
  }

  /** Its outcome does not matter to a caller who comes so late, nor does its failure. */
  async function afterwards(before: Promise<T>): Promise<T> {
    await before.catch(() => null);
    return await readAgain();
  }

  async function readOnce(): Promise<T> {
    const startedAt = clock.monotonic();
    runningSince = startedAt;
    const began = performance.now();
    const value = await read(last?.value ?? null);
    const isFirst = last === null;
    last = { value, startedAt, costMs: isFirst && isFirstDearer ? 0 : performance.now() - began };
    return value;
  }
}

function maxAgeOf({ costMs }: ReadValue<unknown>, ms: number, factor: number): number {
  return Math.max(ms, Math.min(OLDEST_MS, factor * costMs));
}
