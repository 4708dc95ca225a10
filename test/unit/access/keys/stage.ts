import { createKeys, type Keys } from '../../../../src/access/keys/keys.ts';
import type { Logger } from '../../../../src/platform/logger.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { faulty, morningClock, openFile } from '../fixture.ts';

export const PEPPER = 'a pepper for tests alone';
export const REFUSED = { outcome: 'refused' };

/** Keys on a store whose connection fails as told, with one clock for all. */
export async function openKeys() {
  const file = openFile();
  const clock = morningClock();
  const { documents, faults } = faulty(file.client(clock));
  // Pauses between attempts are real and short; the 900 ms of patience are over when the clock is moved.
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    ms < 100 ? turn() : clock.sleep(ms, signal);
  /** One more process: its own memory on the same store; its own client, if given none, and its own clock, so far away. */
  const instance = (on: Documents = file.client(clock), logger?: Logger, awayMs = 0): Keys =>
    createKeys({
      documents: on,
      pepper: PEPPER,
      clock: { now: () => clock.time + awayMs, monotonic: () => clock.monotonic(), sleep },
      logger,
    });
  const keys = instance(documents);
  await keys.declare();
  return {
    clock,
    documents,
    faults,
    keys,
    instance,
    /** A new key that there is room for. */
    created: async (account = 'acme') => {
      const answer = await keys.create(account);
      if (answer.outcome !== 'created') throw new Error(answer.outcome);
      return answer;
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** What was started has had its turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
