import type { Clock } from '../platform/clock.ts';
import { RetryableError } from '../platform/errors.ts';
import type { Documents } from '../stores/documents/port.ts';

/**
 * The store's clock, Unix milliseconds, without a read each time: the local clock and its distance from the store's.
 * However wrong the local clock is, all instances agree on the day. Where it jumps, or the process stood still, the
 * clocks are compared anew.
 */
export interface StoreTime {
  /** The time as it is known; null where the clocks must be compared first. */
  known(): number | null;
  /** @throws {RetryableError} where the store is down, or too slow to tell the time. */
  now(): Promise<number>;
}

/** How long a comparison of the two clocks is relied on: long enough to cost nothing, too short for them to drift. */
const COMPARED_FOR_MS = 5000;
/** What took longer to be answered says too little: the process may have stood still, or a clock may have jumped. */
const LONGEST_ANSWER_MS = 2000;
const ATTEMPTS = 2;

export function createStoreTime(documents: Pick<Documents, 'now'>, clock: Clock): StoreTime {
  let comparedAt = Number.NaN;
  let distance = 0;

  return {
    known,

    async now() {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const time = known();
        if (time !== null) return time;
        await compare();
      }
      const time = known();
      if (time === null) throw new RetryableError('The store is too slow to tell the time');
      return time;
    },
  };

  function known(): number | null {
    const now = clock.now();
    // A local clock that was put back has not been compared either.
    return now >= comparedAt && now - comparedAt < COMPARED_FOR_MS ? now + distance : null;
  }

  async function compare(): Promise<void> {
    const before = clock.now();
    const stores = await documents.now();
    const after = clock.now();
    if (after < before || after - before > LONGEST_ANSWER_MS) return;
    comparedAt = after;
    // The store read its clock somewhere between the question and the answer.
    distance = Math.round(stores - (before + after) / 2);
  }
}
