import type { Batch, Log, Position } from '../../events/log/port.ts';

/** What a replay reads: the partitions of some topics as they were when it began, of a log or of an archive of one. */
export interface History {
  readonly partitions: readonly HeldPartition[];
  /** Whether something stood before, or among, what it holds. */
  readonly isCut: boolean;
  /** Up to which time it tells, Unix milliseconds. */
  readonly endsAt: number;
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

/**
 * What a log holds of these topics now, Unix milliseconds; what is appended later is no part of it. Joins no group. The
 * topics are named as the log names them.
 */
export async function historyOf(log: Log, topics: readonly string[], now: number): Promise<History> {
  const partitions: HeldPartition[] = [];
  for (const topic of topics) {
    for (const { partition, earliest, latest, readable = latest } of await log.ends(topic))
      partitions.push({ topic, partition, earliest, end: Math.max(earliest, readable) });
  }
  return {
    partitions,
    isCut: partitions.some(({ earliest }) => earliest > 0),
    endsAt: now,
    read: ({ topic, partition, earliest: from, end: to }, signal) =>
      from < to ? log.read({ topic, partition, from, to, signal }) : nothing(),
  };
}

async function* nothing(): AsyncGenerator<Batch> {}
