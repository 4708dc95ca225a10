import { randomBytes } from 'node:crypto';

import type { Clock } from '../../platform/time/clock.ts';
import type { Documents, Version, Write } from '../../stores/documents/port.ts';
import { plan, type Plan } from './allotment.ts';
import { setOver, isStored, adoptStored, leftOf, withShare, type Counter } from './local-counter.ts';
import { idOf, QUOTA, type QuotaDay } from './quota-day-document.ts';
import type { Days } from './ended-days.ts';

interface Change extends Plan {
  readonly counter: Counter;
  /** null where the store has it so already. */
  readonly write: Write<QuotaDay> | null;
}

/** What one process writes to the documents of days, a batch at a time. */
export function createBatchCount(
  documents: Documents,
  clock: Pick<Clock, 'monotonic'>,
  days: Pick<Days, 'enter'>,
  limit: number,
) {
  /** This process's name in the documents. */
  const writer = randomBytes(6).toString('hex');
  let batch = 0;

  /**
   * Makes the store count what waits at these counters, and what they hold, of which there is nothing without `mayHold`: at
   * most one read and one write for all, each document guarded by its own version. What a counter then has unspent is
   * durable; a day that has no room for all that wait is marked so. Where somebody else has written meanwhile, nothing has
   * changed but that the counter knows it: ask again.
   * @throws the store's errors; every counter is then read again before its next use.
   */
  return async function countBatch(counters: readonly Counter[], mayHold: boolean): Promise<void> {
    try {
      for (const [day, ofDay] of Map.groupBy(counters, (counter) => counter.day)) {
        const isOver = await days.enter(day);
        for (const counter of ofDay) setOver(counter, isOver);
      }
      await readDoubtful(counters);
      batch += 1;
      const changes = counters.map((counter) => prepare(counter, mayHold));
      const writes = changes.flatMap(({ write }) => write ?? []);
      const outcomes = writes.length === 0 ? [] : await documents.write(QUOTA.name, writes);
      const conflicts = new Set(writes.filter((_, index) => outcomes[index] !== 'done'));
      for (const change of changes) {
        if (change.write !== null && conflicts.has(change.write)) change.counter.version = undefined;
        else settle(change);
      }
    } catch (thrown) {
      for (const counter of counters) counter.version = undefined;
      throw thrown;
    }
  };

  /** A refusal needs certainty too: others may have given back since this counter was last read. */
  async function readDoubtful(counters: readonly Counter[]): Promise<void> {
    const doubtful = counters.filter(
      (counter) =>
        !counter.isOver && (counter.version === undefined || counter.waiting.size > leftOf(counter, limit)),
    );
    if (doubtful.length === 0) return;
    const found = await documents.get<QuotaDay>(QUOTA.name, doubtful.map(idOf));
    for (const counter of doubtful) adoptStored(counter, writer, found.get(idOf(counter)));
  }

  /** What shall be returned is taken out of the share before it is written: nobody may be granted it meanwhile. */
  function prepare(counter: Counter, mayHold: boolean): Change {
    const planned = plan(counter, limit, mayHold, clock.monotonic());
    if (counter.isOver || (planned.share === counter.share && isStored(counter)))
      return { ...planned, counter, write: null };
    counter.share = Math.min(counter.share ?? 0, planned.share);
    const read = typeof counter.version === 'number' ? versionOf(counter.version) : (counter.version ?? null);
    // Both follow from the id: where the document is written again, the index over them is left alone.
    const content = { body: withShare(counter, writer, planned), unchanged: ['place', 'day'] };
    return { ...planned, counter, write: { id: idOf(counter), read, version: versionOf(batch), ...content } };
  }

  function settle({ counter, share, isFull, isNearlyFull, write }: Change): void {
    if (isFull) counter.fullAt = clock.monotonic();
    if (write === null) return;
    counter.share = share;
    counter.stored = share;
    counter.version = batch;
    counter.isNearlyFull ||= isNearlyFull;
  }

  /** A counter remembers a number alone of what this process wrote last: a text takes half as much memory as all the rest. */
  function versionOf(number: number): Version {
    return `${writer}/${number}`;
  }
}
