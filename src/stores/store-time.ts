import type { Clock } from '../platform/time/clock.ts';
import { RetryableError } from '../platform/errors.ts';
import type { Documents } from './documents/port.ts';
import { withTimeLimit } from './time-limit.ts';

/** How long a comparison of the two clocks is relied on: long enough to cost nothing, too short for them to drift. */
const COMPARED_FOR_MS = 5000;
/** What took longer to be answered says too little: the process may have stood still. */
const LONGEST_ANSWER_MS = 2000;
/**
 * How far the wall time may run from the monotonic one within a comparison. More means that the machine slept, during
 * which its monotonic clock stands still, or that its wall clock, which may be the store's, was set.
 */
const SET_MS = 100;
const ATTEMPTS = 2;

/**
 * The store's clock, Unix milliseconds, without a read each time: as it was told last, and what has passed since by the
 * monotonic clock. However wrong the wall clocks of the instances are, all agree on the day.
 *
 * Where the store's own clock is set on or back, an instance follows within `COMPARED_FOR_MS`, and at once where the
 * store runs on the clock of this machine. So for some seconds instances may disagree on the day; each day is counted
 * by its own document, so none is granted twice.
 */
export function createStoreTime(documents: Pick<Documents, 'now'>, clock: Clock) {
  let compared: Moment | null = null;
  let stores = 0;
  /** One for all that ask meanwhile: in a burst each of them would ask the store. */
  let comparing: Promise<void> | null = null;

  return {
    /** The time as it is known; null where the clocks must be compared first. */
    known,
    /** @throws {RetryableError} where the store is down, or too slow to tell the time. */
    async now(): Promise<number> {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const time = known();
        if (time !== null) return time;
        await (comparing ??= compare().finally(() => (comparing = null)));
      }
      const time = known();
      if (time === null) throw new RetryableError('The store is too slow to tell the time');
      return time;
    },
  };

  function known(): number | null {
    if (compared === null) return null;
    const now = momentOf(clock);
    const passed = now.monotonic - compared.monotonic;
    return passed < COMPARED_FOR_MS && !wasSet(compared, now) ? Math.round(stores + passed) : null;
  }

  async function compare(): Promise<void> {
    const before = momentOf(clock);
    // Those who wait for it together must not wait for an answer that never comes.
    const told = await withTimeLimit(documents.now(), LONGEST_ANSWER_MS);
    const after = momentOf(clock);
    const took = after.monotonic - before.monotonic;
    if (took > LONGEST_ANSWER_MS || wasSet(before, after)) return;
    compared = after;
    // The store read its clock somewhere between the question and the answer.
    stores = told + took / 2;
  }
}

type Moment = ReturnType<typeof momentOf>;

function momentOf(clock: Clock) {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

function wasSet(from: Moment, to: Moment): boolean {
  return Math.abs(to.wall - from.wall - (to.monotonic - from.monotonic)) > SET_MS;
}
