import type { Clock } from '../platform/clock.ts';
import type { Documents } from '../stores/documents/port.ts';

/** How long a comparison of the two clocks is relied on: long enough to cost nothing, too short for them to drift. */
const COMPARED_FOR_MS = 5000;

/**
 * The store's clock, Unix milliseconds, without a read each time: the local clock and its distance from the store's.
 * However wrong the local clock is, all instances agree on the day.
 */
export function createStoreTime(documents: Pick<Documents, 'now'>, clock: Clock): () => Promise<number> {
  let comparedAt = Number.NaN;
  let distance = 0;
  return async () => {
    const before = clock.now();
    // A local clock that was put back has not been compared either.
    if (before >= comparedAt && before - comparedAt < COMPARED_FOR_MS) return before + distance;
    const stores = await documents.now();
    comparedAt = clock.now();
    // The store read its clock somewhere between the question and the answer.
    distance = Math.round(stores - (before + comparedAt) / 2);
    return comparedAt + distance;
  };
}
