import type { Clock } from '../../platform/clock.ts';
import { Counter as Metric, type Registry } from '../../platform/metrics.ts';
import { newVersion, type Documents, type Write } from '../../stores/documents/port.ts';
import {
  close,
  learn,
  leftOf,
  QUOTA,
  toldUse,
  wanted,
  withShare,
  type Counter,
  type QuotaDay,
} from './counter.ts';
import { isNews, plan, type Plan } from './allotment.ts';
import { findOver } from './days.ts';
import { writeUntilAnswered } from '../write-until-answered.ts';

/** One counter's part in a batch; no counter has two. */
export interface Part {
  readonly counter: Counter;
  /** Requests that wait to be granted. */
  readonly requests: number;
}

export type Counted =
  | {
      /** The counter now holds unspent what its requests are granted from. */
      readonly outcome: 'counted';
      /** Whether the day has no room for all of them. What it has room for is held. */
      readonly isFull: boolean;
      /** Whether this made the day's document. */
      readonly first: boolean;
    }
  /** Somebody else has written meanwhile. Nothing is decided: ask again. */
  | { readonly outcome: 'conflict' };

export interface BatchOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  /** This process's name in the documents. */
  readonly writer: string;
  readonly limit: number;
  /** Counts the calls of the store; null where nobody asks for them. */
  readonly operations: StoreOperations | null;
}

export interface Moment {
  /** The store's time, Unix milliseconds. */
  readonly now: number;
  /** Whether nothing may be held unspent after it. */
  readonly closing: boolean;
}

type StoreOperations = Metric<'operation'>;

export function createStoreOperations(registry: Registry): StoreOperations {
  return new Metric({
    name: 'catalog_quota_store_operations_total',
    help: 'Calls of the store that count requests, each for any number of keys: read or write.',
    labelNames: ['operation'] as const,
    registers: [registry],
  });
}

interface Change extends Plan {
  readonly isFull: boolean;
  readonly counter: Counter;
  readonly write: Write<QuotaDay> | null;
}

/**
 * Counts requests: at most one read and one write for all counters, each document guarded by its own version. The
 * results stand in the order of what was asked; what is `counted` is durable.
 * @throws the store's errors; every counter is then read again before its next use.
 */
export async function countBatch(
  options: BatchOptions,
  parts: readonly Part[],
  moment: Moment,
): Promise<readonly Counted[]> {
  try {
    await readDoubtful(options, parts, moment);
    const changes = parts.map((part) => prepare(options, part, moment));
    const conflicts = await writeAll(options, changes);
    return changes.map((change) => settle(change, conflicts.has(change), moment.now));
  } catch (thrown) {
    for (const { counter } of parts) counter.version = undefined;
    throw thrown;
  }
}

/**
 * A refusal needs certainty too: others may have given back since this counter was last read. And while others are
 * busy with it, reading costs less than the conflict that is to be expected.
 */
async function readDoubtful(
  { documents, writer, limit, operations }: BatchOptions,
  parts: readonly Part[],
  { now }: Moment,
): Promise<void> {
  const doubtful = parts.filter(
    ({ counter, requests }) =>
      counter.version === undefined || counter.othersUntil > now || requests > leftOf(counter, limit),
  );
  if (doubtful.length === 0) return;
  operations?.inc({ operation: 'read' });
  const found = await documents.get<QuotaDay>(
    QUOTA.name,
    doubtful.map(({ counter }) => counter.id),
  );
  for (const { counter } of doubtful) learn(counter, writer, found.get(counter.id), now);
  const absent = doubtful.map(({ counter }) => counter).filter(({ version }) => version === null);
  if (absent.length === 0) return;
  operations?.inc({ operation: 'read' });
  for (const counter of await findOver(documents, absent)) close(counter);
}

/** What shall be returned is taken out of the allotment before it is written: nobody may be granted it meanwhile. */
function prepare(
  { writer, limit }: BatchOptions,
  { counter, requests }: Part,
  { now, closing }: Moment,
): Change {
  if (counter.isOver) return { share: 0, until: 0, held: 0, isFull: requests > 0, counter, write: null };
  const planned = plan(counter, { requests, limit, now, closing });
  const isFull = requests > leftOf(counter, limit);
  const own = wanted(counter);
  const returned = Math.max(0, own - planned.share);
  counter.owed = 0;
  counter.own = own - returned;
  counter.unspent -= returned;
  // Where the store has this share already (a lost answer; as many given back as granted), it counts these requests.
  if (!isNews(counter, planned, now)) return { ...planned, isFull, counter, write: null };
  // Until the store has answered, nothing is put into the allotment: it may be about to end, or to be filled.
  counter.until = 0;
  const body = withShare(counter, writer, { ...planned, now });
  const write = { id: counter.id, read: counter.version ?? null, version: newVersion(), body };
  return { ...planned, isFull, counter, write };
}

async function writeAll(
  { documents, clock, operations }: BatchOptions,
  changes: readonly Change[],
): Promise<ReadonlySet<Change>> {
  const written = changes.filter(({ write }) => write !== null);
  if (written.length === 0) return new Set();
  operations?.inc({ operation: 'write' });
  const writes = written.flatMap(({ write }) => write ?? []);
  const outcomes = await writeUntilAnswered(documents, clock, QUOTA.name, writes);
  return new Set(written.filter((_, index) => outcomes[index] !== 'done'));
}

function settle({ counter, share, until, isFull, write }: Change, conflict: boolean, now: number): Counted {
  if (conflict) {
    counter.version = undefined;
    return { outcome: 'conflict' };
  }
  if (counter.isOver) return { outcome: 'counted', isFull, first: false };
  const more = share - (counter.own ?? 0);
  counter.own = share;
  counter.unspent += more;
  counter.stored = share;
  if (write === null) return { outcome: 'counted', isFull, first: false };
  counter.version = write.version;
  toldUse(counter, write.body);
  counter.storedUntil = until;
  counter.until = until;
  counter.flushedAt = now;
  counter.granted = 0;
  return { outcome: 'counted', isFull, first: write.read === null };
}
