import { type Clock, isFresh } from './clock.ts';

/**
 * A value computed from the store now and then: at most `minMs` old, or `costFactor` times what it cost to compute if
 * that is more, but no more than five seconds. All who ask while it is being computed share one computation, and its failure.
 */
export interface Snapshot<T> {
  current(): Promise<T>;
  /** What `current` would answer without computing anything; null where it would not. */
  known(): T | null;
  /** For a reader who has seen that the value is behind: computed again, unless it has just been. */
  renewed(): Promise<T>;
  /** For a reader who knows better than to use this very value: computed again, unless another one has taken its place. */
  insteadOf(value: T): Promise<T>;
}

export interface SnapshotOptions<T> {
  /** Returns `previous` itself where nothing has changed, so that what was rendered from it can be kept. */
  readonly compute: (previous: T | null) => Promise<T>;
  readonly clock: Clock;
  readonly minMs: number;
  /**
   * So that refreshing takes at most 1 / `costFactor` of the time; 0 where only `minMs` counts: then also nobody is given
   * what began to be computed longer ago, however long that took.
   */
  readonly costFactor: number;
  /** Whether the first value costs more than those that follow, and says nothing of what they will. Default false. */
  readonly isFirstDearer?: boolean;
  /**
   * Whether it is computed again in the last quarter of its time, where somebody asks then: readers go on by the known value
   * meanwhile, and wait only where that takes longer. Default false.
   */
  readonly isAhead?: boolean;
}

/** Refreshing lists, counts, hits and the taxonomy takes at most a twentieth of the time. */
export const COST_FACTOR = 20;

/**
 * No value gets older than this, whatever it cost: what it cost is measured with all the waiting for a busy store, and a
 * burst of requests must not make answers old for long after it.
 */
const OLDEST_MS = 5000;

/** The part of its time after which what is computed ahead is computed again. */
const AHEAD_AFTER = 0.75;

/** Readers who see that it is behind may renew it more often than its age asks for, but not all the time. */
const RENEWED_COST_FACTOR = 4;

interface Computed<T> {
  readonly value: T;
  readonly startedAt: number;
  readonly costMs: number;
}

export function createSnapshot<T>(options: SnapshotOptions<T>): Snapshot<T> {
  const { compute, clock, minMs, costFactor, isFirstDearer = false, isAhead = false } = options;
  let last: Computed<T> | null = null;
  let running: Promise<T> | null = null;
  let runningSince = 0;

  return {
    async current() {
      // Whoever asks once it is too old hears of a failure.
      if (isAhead && last && isNearlyOver(last)) recompute().catch(() => undefined);
      return await valueWithin(minMs, costFactor);
    },
    known: () => knownWithin(minMs, costFactor),
    renewed: () => valueWithin(0, RENEWED_COST_FACTOR),
    insteadOf: (value) => {
      if (last?.value !== value) return valueWithin(minMs, costFactor);
      // What was begun before the reader knew better may say the same again.
      return running ? running.then((other) => (other === value ? recompute() : other)) : recompute();
    },
  };

  async function valueWithin(ms: number, factor: number): Promise<T> {
    return knownWithin(ms, factor) ?? (await recompute());
  }

  function knownWithin(ms: number, factor: number): T | null {
    if (!last) return null;
    const maxAge = maxAgeOf(last, ms, factor);
    return isFresh(last.startedAt, clock.monotonic(), maxAge) ? last.value : null;
  }

  /** Whether it is going to be too old soon. */
  function isNearlyOver(computed: Computed<T>): boolean {
    const untilMs = AHEAD_AFTER * maxAgeOf(computed, minMs, costFactor);
    return !isFresh(computed.startedAt, clock.monotonic(), untilMs);
  }

  function recompute(): Promise<T> {
    const isLate = costFactor === 0 && minMs > 0 && !isFresh(runningSince, clock.monotonic(), minMs);
    if (running && isLate) return afterwards(running);
    running ??= computeOnce().finally(() => {
      running = null;
    });
    return running;
  }

  /** Its outcome does not matter to who comes so late, nor does its failure. */
  async function afterwards(before: Promise<T>): Promise<T> {
    await before.catch(() => null);
    return await recompute();
  }

  async function computeOnce(): Promise<T> {
    const startedAt = clock.monotonic();
    runningSince = startedAt;
    const began = performance.now();
    const before = last;
    const isFirst = before === null;
    const value = await compute(before?.value ?? null);
    last = { value, startedAt, costMs: isFirst && isFirstDearer ? 0 : performance.now() - began };
    return value;
  }
}

function maxAgeOf({ costMs }: Computed<unknown>, ms: number, factor: number): number {
  return Math.max(ms, Math.min(OLDEST_MS, factor * costMs));
}
