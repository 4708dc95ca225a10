import type { Batch, Log, Position } from '../../events/log/port.ts';
import { firstAppendedAt } from '../../events/original-time.ts';
import { StoppedError } from '../engine/retry.ts';

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

export interface HeldPartition {
  /** As the log names it. */
  readonly topic: string;
  readonly partition: number;
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
