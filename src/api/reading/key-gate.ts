import type { Clock } from '../../platform/time/clock.ts';
import { RetryableError } from '../../platform/errors.ts';
import { WaitQueue } from './wait-queue.ts';

/** This key asks for too much at once. No store is to blame, and nobody else is refused for it. */
export class KeyBusy extends RetryableError {}

/**
 * Admission control by key: each has only so much at work at a time. A request beyond that waits, first come first,
 * until another one of the same key has ended.
 */
export interface KeyGate {
  /**
   * The outcome of the work.
   * @throws {KeyBusy} where it could not begin within `maxWaitMs`.
   */
  pass<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface KeyGateOptions {
  readonly clock: Clock;
  /** Of one key, at work at a time. */
  readonly atOnce: number;
  readonly maxWaitMs: number;
}

interface Key {
  atWork: number;
  readonly waiting: WaitQueue;
}

export function createKeyGate({ clock, atOnce, maxWaitMs }: KeyGateOptions): KeyGate {
  // Only keys that have something at work.
  const keys = new Map<string, Key>();

  return {
    async pass(name, work) {
      const key = keys.get(name) ?? { atWork: 0, waiting: new WaitQueue() };
      keys.set(name, key);
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
