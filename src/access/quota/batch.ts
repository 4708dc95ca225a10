import type { Clock } from '../../platform/time/clock.ts';
import { Counter as Metric, type Registry } from '../../platform/metrics.ts';
import { newVersion, type Documents, type Write } from '../../stores/documents/port.ts';
import { writeUntilAnswered } from '../write-until-answered.ts';
import { plan, type Plan } from './allotment.ts';
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
import type { Days } from './days.ts';

/** One counter's part in a batch; no counter has two. */
export interface Part {
  readonly counter: Counter;
  /** Requests that wait to be granted. */
  readonly requests: number;
}

export type Counted =
  /** The counter now holds unspent what its requests are granted from; with `isFull`, that is not enough for all. */
  | { readonly outcome: 'counted'; readonly isFull: boolean }
  /** Somebody else has written meanwhile. Nothing is decided: ask again. */
  | { readonly outcome: 'conflict' };

export interface BatchOptions {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly days: Days;
  /** This process's name in the documents. */
  readonly writer: string;
  readonly limit: number;
  /** Counts documents that were read and written; null where nobody asks for them. */
  readonly counted: CountedDocuments | null;
}

type CountedDocuments = Metric<'operation'>;

export function createCountedDocuments(registry: Registry): CountedDocuments {
  return new Metric({
    name: 'catalog_quota_documents_total',
    help: 'Documents that were read or written to count requests, by operation: read or write.',
    labelNames: ['operation'] as const,
    registers: [registry],
  });
}

interface Change extends Pick<Plan, 'share' | 'isFull'> {
  readonly counter: Counter;
  readonly write: Write<QuotaDay> | null;
}

/**
 * Counts requests at the store's time `now`: at most one read and one write for all counters, each document guarded by
 * its own version. The results stand in the order of what was asked; what is `counted` is durable.
 * @throws the store's errors; every counter is then read again before its next use.
 */
export async function countBatch(
  options: BatchOptions,
  parts: readonly Part[],
  now: number,
): Promise<readonly Counted[]> {
  try {
    await closeOver(options, parts);
    await readDoubtful(options, parts);
    const changes = parts.map((part) => prepare(options, part, now));
    const conflicts = await writeAll(options, changes);
    return changes.map((change) => settle(change, conflicts.has(change)));
  } catch (thrown) {
    for (const { counter } of parts) counter.version = undefined;
    throw thrown;
  }
}

async function closeOver({ days }: BatchOptions, parts: readonly Part[]): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(parts, ({ counter }) => counter.day))
    if (await days.enter(day)) for (const { counter } of ofDay) close(counter);
}

/** A refusal needs certainty too: others may have given back since this counter was last read. */
async function readDoubtful(
  { documents, writer, limit, counted }: BatchOptions,
  parts: readonly Part[],
): Promise<void> {
  const doubtful = parts
    .filter(({ counter, requests }) => counter.version === undefined || requests > leftOf(counter, limit))
    .map(({ counter }) => counter)
    .filter(({ isOver }) => !isOver);
  if (doubtful.length === 0) return;
  const found = await documents.get<QuotaDay>(
    QUOTA.name,
    doubtful.map(({ id }) => id),
  );
  counted?.inc({ operation: 'read' }, found.size);
  for (const counter of doubtful) learn(counter, writer, found.get(counter.id));
}

/** What shall be returned is taken out of the allotment before it is written: nobody may be granted it meanwhile. */
function prepare({ writer, limit }: BatchOptions, { counter, requests }: Part, now: number): Change {
  if (counter.isOver) return { counter, share: 0, isFull: requests > 0, write: null };
  const { share, isFull, isNearlyFull } = plan(counter, { requests, limit, now });
  const own = wanted(counter);
  const returned = Math.max(0, own - share);
  counter.owed = 0;
  counter.own = own - returned;
  counter.unspent -= returned;
  // Where the store has this share already (a lost answer; as many given back as granted), it counts these requests.
  if (share === counter.stored) return { counter, share, isFull, write: null };
  const body = withShare(counter, writer, share, isNearlyFull);
  const write = { id: counter.id, read: counter.version ?? null, version: newVersion(), body };
  return { counter, share, isFull, write };
}

async function writeAll(
  { documents, clock, counted }: BatchOptions,
  changes: readonly Change[],
): Promise<ReadonlySet<Change>> {
  const written = changes.filter(({ write }) => write !== null);
  if (written.length === 0) return new Set();
  const writes = written.flatMap(({ write }) => write ?? []);
  counted?.inc({ operation: 'write' }, writes.length);
  const outcomes = await writeUntilAnswered(documents, clock, QUOTA.name, writes);
  return new Set(written.filter((_, index) => outcomes[index] !== 'done'));
}

function settle({ counter, share, isFull, write }: Change, conflict: boolean): Counted {
  if (conflict) {
    counter.version = undefined;
    return { outcome: 'conflict' };
  }
  if (counter.isOver) return { outcome: 'counted', isFull };
  counter.unspent += share - (counter.own ?? 0);
  counter.own = share;
  counter.stored = share;
  if (write === null) return { outcome: 'counted', isFull };
  counter.version = write.version;
  counter.isNearlyFull ||= write.body.isNearlyFull === true;
  toldUse(counter, write.body);
  counter.granted = 0;
  return { outcome: 'counted', isFull };
}
