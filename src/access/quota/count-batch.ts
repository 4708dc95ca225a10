import type { Clock } from '../../platform/time/clock.ts';
import type { Documents, Version, Write } from '../../stores/documents/port.ts';
import { plan, type Plan } from './allotment.ts';
import {
  idOf,
  setOver,
  isStored,
  adoptStored,
  leftOf,
  QUOTA,
  withShare,
  type Counter,
  type QuotaDay,
} from './counter.ts';
import type { Days } from './counted-days.ts';

export interface BatchOptions {
  readonly documents: Documents;
  readonly days: Days;
  /** This process's name in the documents. */
  readonly writer: string;
  /** The number of the batch: no other one of this process has it. */
  readonly batch: number;
  readonly limit: number;
  /** Whether anything is to be held. */
  readonly mayHold: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface Change extends Plan {
  readonly counter: Counter;
  /** null where the store has it so already. */
  readonly write: Write<QuotaDay> | null;
}

/**
 * Makes the store count what waits at these counters, and what they hold: at most one read and one write for all, each
 * document guarded by its own version. What a counter then has unspent is durable; a day that has no room for all that wait
 * is marked so. Where somebody else has written meanwhile, nothing has changed but that the counter knows it: ask again.
 * @throws the store's errors; every counter is then read again before its next use.
 */
export async function countBatch(options: BatchOptions, counters: readonly Counter[]): Promise<void> {
  try {
    for (const [day, ofDay] of Map.groupBy(counters, (counter) => counter.day)) {
      const isOver = await options.days.enter(day);
      for (const counter of ofDay) setOver(counter, isOver);
    }
    await readDoubtful(options, counters);
    const changes = counters.map((counter) => prepare(options, counter));
    const writes = changes.flatMap(({ write }) => write ?? []);
    const outcomes = writes.length === 0 ? [] : await options.documents.write(QUOTA.name, writes);
    const conflicts = new Set(writes.filter((_, index) => outcomes[index] !== 'done'));
    const now = options.clock.monotonic();
    for (const change of changes)
      settle(options, change, change.write !== null && conflicts.has(change.write), now);
  } catch (thrown) {
    for (const counter of counters) counter.version = undefined;
    throw thrown;
  }
}

/** A refusal needs certainty too: others may have given back since this counter was last read. */
async function readDoubtful(
  { documents, writer, limit }: BatchOptions,
  counters: readonly Counter[],
): Promise<void> {
  const doubtful = counters.filter(
    (counter) =>
      !counter.isOver && (counter.version === undefined || counter.waiting.size > leftOf(counter, limit)),
  );
  if (doubtful.length === 0) return;
  const ids = doubtful.map(idOf);
  const found = await documents.get<QuotaDay>(QUOTA.name, ids);
  for (const counter of doubtful) adoptStored(counter, writer, found.get(idOf(counter)));
}

/** What shall be returned is taken out of the share before it is written: nobody may be granted it meanwhile. */
function prepare(options: BatchOptions, counter: Counter): Change {
  const { writer, limit, mayHold, clock, batch } = options;
  const planned = plan(counter, limit, mayHold, clock.monotonic());
  if (counter.isOver || (planned.share === counter.share && isStored(counter)))
    return { ...planned, counter, write: null };
  counter.share = Math.min(counter.share ?? 0, planned.share);
  const body = withShare(counter, writer, planned);
  const { version } = counter;
  const read = typeof version === 'number' ? versionOf(writer, version) : (version ?? null);
  const write = { id: idOf(counter), read, version: versionOf(writer, batch), body };
  return { ...planned, counter, write };
}

/** A counter remembers a number alone of what this process wrote last: a text takes half as much memory as all the rest. */
function versionOf(writer: string, batch: number): Version {
  return `${writer}/${batch}`;
}

function settle(
  { batch }: BatchOptions,
  { counter, share, isFull, isNearlyFull, write }: Change,
  isConflict: boolean,
  now: number,
): void {
  if (isConflict) {
    counter.version = undefined;
    return;
  }
  if (isFull) counter.fullAt = now;
  if (write === null) return;
  counter.share = share;
  counter.stored = share;
  counter.version = batch;
  counter.isNearlyFull ||= isNearlyFull;
}
