import type { Clock } from '../../src/platform/time/clock.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import type { Process, World } from './world.ts';

/** A simulated process: its clock, and its calls to the stores, which fail in every way that a network has. */
export interface Worker extends Process {
  readonly world: World;
  readonly clock: Clock;
  /** How far its wall time is set from the world's; may jump, both ways. Its sleeps and its monotonic time go on. */
  wrongByMs: number;
  /** How likely its calls are to fail, in parts of how likely the world's are: long work has to come to an end. */
  luck: number;
  /**
   * One call to a store. Between the call and its effect, and between the effect and its answer, anything may happen.
   * `apply` is told how much of it to do: a call that is cut may have done a part. `ms` is how long it is on its way.
   */
  call<T>(what: string, apply: (extent: 'all' | 'part') => T, ms?: number): Promise<T>;
}

/** Of a slow call, simulated milliseconds at most. */
const SLOW_MS = 1500;

/** `machine` is named for its process where it has no other one: what runs in one process has one monotonic clock. */
export function createWorker(world: World, name: string, machine: string = name): Worker {
  const upFor = world.upFor(machine);
  const worker: Worker = {
    name,
    world,
    isDead: false,
    pausedUntil: 0,
    wrongByMs: 0,
    luck: 1,
    clock: {
      now: () => world.now() + worker.wrongByMs,
      // Each on a machine of its own: the half seconds at which rests end are others in each process.
      monotonic: () => world.now() + upFor,
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
        const late = world.slowness > 0 && world.chance(world.slowness) ? SLOW_MS * world.random() : 0;
        world.later(worker, what, ms + late, () => {
          const fault = world.chance(world.faults * worker.luck)
            ? world.pick(['refused', 'cut', 'unanswered'])
            : null;
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
