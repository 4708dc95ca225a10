import type { Clock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';

/** This key asks for too much at once. No store is to blame, and nobody else is refused for it. */
export class KeyBusy extends RetryableError {}

interface KeyConcurrencyOptions {
  readonly clock: Clock;
  /** Of one key, at work at a time. */
  readonly atOnce: number;
  readonly maxWaitMs: number;
}

interface Key {
  atWork: number;
  readonly waiting: WaitQueue;
}

/**
 * Admission control by key: each has only so much at work at a time. A request beyond that waits, first come first,
 * until another one of the same key has ended.
 */
export function createKeyConcurrency({ clock, atOnce, maxWaitMs }: KeyConcurrencyOptions) {
  // Only keys that have something at work.
  const keys = new Map<string, Key>();

  return {
    /**
     * The outcome of the work.
     * @throws {KeyBusy} where it could not begin within `maxWaitMs`.
     */
    async pass<T>(name: string, work: () => Promise<T>): Promise<T> {
      const key = keys.getOrInsertComputed(name, () => ({ atWork: 0, waiting: new WaitQueue() }));
      if (key.atWork < atOnce) key.atWork += 1;
      else if (!(await key.waiting.wait(clock, maxWaitMs)))
        throw new KeyBusy(`This key has ${atOnce} at work, and none ended in ${maxWaitMs} ms`);
      try {
        return await work();
      } finally {
        leave(name, key);
      }
    },
  };

  function leave(name: string, key: Key): void {
    if (key.waiting.handOver()) return;
    key.atWork -= 1;
    if (key.atWork === 0) keys.delete(name);
  }
}

/** Requests that wait for a place, first come first. The one that leaves hands its place over, so none overtakes. */
export class WaitQueue {
  readonly #takers = new Set<() => void>();

  /** Waits for a place. False where none was handed over within `ms`. */
  async wait(clock: Clock, ms: number): Promise<boolean> {
    const done = new AbortController();
    let isHandedOver = false;
    const take = (): void => {
      isHandedOver = true;
      // With a reason: else one is made, an error with its stack.
      done.abort('handed over');
    };
    this.#takers.add(take);
    await clock.sleep(ms, done.signal);
    this.#takers.delete(take);
    return isHandedOver;
  }

  /** Gives a place to the first one. False where nobody waits. */
  handOver(): boolean {
    const [next] = this.#takers;
    if (!next) return false;
    this.#takers.delete(next);
    next();
    return true;
  }
}
