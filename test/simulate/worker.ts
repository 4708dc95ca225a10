import type { Clock } from '../../src/platform/clock.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import type { Process, World } from './world.ts';

/** A simulated process: its clock, and its calls to the stores, which fail in every way that a network has. */
export interface Worker extends Process {
  readonly world: World;
  readonly clock: Clock;
  /** How far its wall time is set from the world's; may jump, both ways. Its sleeps and its monotonic time go on. */
  wrongByMs: number;
  /**
   * One call to a store. Between the call and its effect, and between the effect and its answer, anything may happen.
   * `apply` is told how much of it to do: a call that is cut may have done a part. `ms` is how long it is on its way.
   */
  call<T>(what: string, apply: (extent: 'all' | 'part') => T, ms?: number): Promise<T>;
}

export function createWorker(world: World, name: string): Worker {
  const worker: Worker = {
    name,
    world,
    isDead: false,
    pausedUntil: 0,
    wrongByMs: 0,
    clock: {
      now: () => world.now() + worker.wrongByMs,
      monotonic: () => world.now(),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          const wake = (): void => {
            callOff();
            signal?.removeEventListener('abort', wake);
            resolve();
          };
          const callOff = world.later(worker, 'sleep', ms, wake);
          signal?.addEventListener('abort', wake);
          if (signal?.aborted) wake();
        }),
    },
    call: (what, apply, ms = 0) =>
      new Promise((resolve, reject) => {
        const answer = (settle: () => void): void => void world.later(worker, `${what} answered`, 0, settle);
        world.later(worker, what, ms, () => {
          const fault = world.chance(world.faults) ? world.pick(['refused', 'cut', 'unanswered']) : null;
          if (fault) world.happen(`${what} ${fault}`);
          try {
            if (fault === 'refused') throw new RetryableError('refused');
            const value = apply(fault === 'cut' ? 'part' : 'all');
            if (fault) throw new RetryableError(fault);
            answer(() => resolve(value));
          } catch (thrown) {
            answer(() => reject(thrown));
          }
        });
      }),
  };
  return worker;
}
