import { setTimeout as pause } from 'node:timers/promises';

import { RetryableError } from '../src/platform/errors.ts';
import type { Running } from '../test/support/process.ts';

/** A process that does some of it. */
export type Worker = Pick<Running, 'printed'> & {
  readonly child: Pick<Running['child'], 'exitCode' | 'signalCode'>;
};

/** Work that is done when nothing is left, and how that is seen. */
export interface Awaited {
  /** How much is left. A store that is too busy to say throws `RetryableError`. */
  readonly left: () => Promise<number>;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  /** The processes that do it now. */
  readonly by?: () => readonly Worker[];
  readonly say?: (what: string) => void;
  /** So long without any progress, it has failed. Default: five minutes, as a store of a busy machine may rest for one. */
  readonly stuckMs?: number;
}

const SAY_EVERY_MS = 10_000;

/** @throws where a process of it has ended, or where it is stuck: nobody waits for ever. */
export async function untilDone(awaited: Awaited): Promise<void> {
  const { left, everyMs, by = () => [], say = () => undefined, stuckMs = 300_000 } = awaited;
  let least = Infinity;
  let [progressAt, saidAt] = [performance.now(), performance.now()];
  for (;;) {
    const now = await lookedAt(left);
    if (now === 0) return;
    await checkRunning(by());
    if (now !== null && now < least) {
      least = now;
      progressAt = performance.now();
    }
    if (performance.now() - progressAt > stuckMs) {
      throw new Error(`${least} are left, and for ${stuckMs / 1000} s none was done`);
    }
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      saidAt = performance.now();
      say(now === null ? 'the store is too busy to say what is left' : `${now} are left`);
    }
    await pause(everyMs);
  }
}

async function lookedAt(left: Awaited['left']): Promise<number | null> {
  try {
    return await left();
  } catch (thrown) {
    if (!(thrown instanceof RetryableError)) throw thrown;
    return null;
  }
}

async function checkRunning(processes: readonly Worker[]): Promise<void> {
  for (const { child, printed } of processes) {
    if (child.exitCode === null && child.signalCode === null) continue;
    const said = (await printed(/^/)).trim().split('\n').at(-1) ?? '';
    throw new Error(`a process ended with ${child.exitCode ?? child.signalCode}: ${said}`);
  }
}
