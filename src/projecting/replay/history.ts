import type { Batch, Log, LogRecord, PartitionId, Position } from '../../events/log/port.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { StoppedError } from '../engine/retry.ts';
import { UsageError } from '../../platform/errors.ts';
import { instantOrMs } from '../../platform/time/instant.ts';
import type { Projection } from '../engine/projection.ts';

/** What is read of the past: the partitions of some topics as they were when that began, of a log or of an archive of one. */
export interface History {
  readonly partitions: readonly HeldPartition[];
  /** Whether something stood before, or among, what it holds. */
  readonly isCut: boolean;
  /** Up to which time it tells, Unix milliseconds; null: up to now. */
  readonly endsAt: number | null;
  /** Contiguous batches of a partition, as `Log.read` gives them, all of it. Ends early where the signal is aborted. */
  read(partition: HeldPartition, signal: AbortSignal): AsyncIterable<Batch>;
}

/** Its topic is as the log names it. */
export interface HeldPartition extends PartitionId {
  readonly earliest: Position;
  /** The position after the last one that is read. */
  readonly end: Position;
}

/** What a log holds of these topics now; what is appended later is no part of it. They are named as the log names them. */
export async function partitionsOf(
  log: Pick<Log, 'ends'>,
  topics: readonly string[],
): Promise<readonly HeldPartition[]> {
  const partitions: HeldPartition[] = [];
  for (const topic of topics) {
    for (const { partition, earliest, latest, readable = latest } of await log.ends(topic))
      partitions.push({ topic, partition, earliest, end: Math.max(earliest, readable) });
  }
  return partitions;
}

/** Of a log, which is read without joining a group. */
export async function historyOf(
  log: Pick<Log, 'ends' | 'read'>,
  topics: readonly string[],
): Promise<History> {
  const partitions = await partitionsOf(log, topics);
  return {
    partitions,
    isCut: partitions.some(({ earliest }) => earliest > 0),
    endsAt: null,
    read: ({ topic, partition, earliest: from, end: to }, signal) =>
      from < to ? log.read({ topic, partition, from, to, signal }) : nothing(),
  };
}

async function* nothing(): AsyncGenerator<Batch> {}

/** Positions in all, for progress. */
export function lengthOf({ partitions }: Pick<History, 'partitions'>): number {
  return partitions.reduce((sum, { earliest, end }) => sum + end - earliest, 0);
}

/**
 * When the oldest record of a partition came into the log, Unix milliseconds; null where there is none.
 * @throws {StoppedError} where the signal was aborted.
 */
export async function beginningOf(
  history: Pick<History, 'read'>,
  held: HeldPartition,
  signal: AbortSignal,
): Promise<number | null> {
  for await (const { records } of history.read(held, signal)) {
    const [first] = records;
    if (first) return firstAppendedAt(first);
  }
  if (signal.aborted) throw new StoppedError('stopped while the log was read');
  return null;
}

/**
 * The part of history that a replay folds, by the log's own time: a record was appended within it, at its bounds or between
 * them. One that was restored has the time of its first append.
 */
export interface Span {
  /** The bounds as people are told of them; null where it is open. */
  readonly from: string | null;
  readonly until: string | null;
  includes(record: Pick<LogRecord, 'timestamp' | 'headers'>): boolean;
}

interface SpanOptions {
  /** Unix milliseconds; null where it is open. */
  readonly from: number | null;
  readonly until: number | null;
  /** Unix milliseconds: up to then a log tells. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/** @throws {UsageError} where a bound lies outside of what the history holds: it names the range. */
export async function spanOf(history: History, { from, until, now, signal }: SpanOptions): Promise<Span> {
  const last = history.endsAt ?? now;
  // The time of the oldest record; Infinity where there is none.
  let first = Infinity;
  const partitions = from === null && until === null ? [] : history.partitions;
  for (const held of partitions)
    first = Math.min(first, (await beginningOf(history, held, signal)) ?? Infinity);
  for (const [option, bound] of Object.entries({ '--from': from, '--until': until }))
    if (bound !== null && (bound < first || bound > last))
      throw new UsageError(
        `${option} ${instantOrMs(bound)} is out of range: the records are from ${instantOrMs(first)} to ${instantOrMs(last)}.`,
      );
  if (from !== null && until !== null && from > until)
    throw new UsageError(
      `--from ${instantOrMs(from)} is later than --until ${instantOrMs(until)}: nothing lies between.`,
    );
  return {
    from: from === null ? null : instantOrMs(from),
    until: until === null ? null : instantOrMs(until),
    includes: (record) => {
      const at = firstAppendedAt(record);
      return (from === null || at >= from) && (until === null || at <= until);
    },
  };
}

/** What cannot be folded again, before the beginning of these partitions: the log was cut, by its retention or by hand. */
export async function forgottenPartitions(
  { log, topicName }: { readonly log: Pick<Log, 'ends'>; readonly topicName: (topic: string) => string },
  { topics }: Pick<Projection, 'topics'>,
): Promise<readonly HeldPartition[]> {
  const partitions = await partitionsOf(log, topics.map(topicName));
  return partitions.filter(({ earliest }) => earliest > 0);
}

/** One line for people; null where the log is whole. */
export function describeForgotten(cut: readonly HeldPartition[]): string | null {
  if (cut.length === 0) return null;
  const places = cut.map(({ topic, partition, earliest }) => `${topic}/${partition} before ${earliest}`);
  return `the log no longer holds the records of ${places.join(', ')}`;
}
