import { PermanentError } from '../../platform/errors.ts';
import type { Log, Position } from '../log/port.ts';
import { lineDigest } from './lines.ts';
import type { ArchivedPartition } from './manifest.ts';

/** Where an archive goes on, and whether the log is still the one that it is of. */

interface PartitionOfLog {
  /** As the log names it. */
  readonly topic: string;
  readonly partition: number;
  readonly earliest: Position;
  /** Where reading ends. */
  readonly end: Position;
}

/** @throws {PermanentError} where the log is younger than the archive, or holds another record where that ends. */
export async function requireSameLog(
  log: Log,
  place: PartitionOfLog,
  { to, last }: Pick<ArchivedPartition, 'to' | 'last'>,
  signal: AbortSignal,
): Promise<void> {
  const { topic, partition, earliest, end } = place;
  if (end < to) throw another(`${topic}/${partition} ends at ${end}, and its archive at ${to}`);
  if (!last || last.position < earliest) return;
  const range = { topic, partition, from: last.position, to: last.position + 1, signal };
  for await (const { records } of log.read(range)) {
    const [record] = records;
    if (record && lineDigest(record) !== last.sha256)
      throw another(`${topic}/${partition} holds another record at ${last.position} than its archive`);
  }
}

function another(difference: string): PermanentError {
  return new PermanentError(
    `${difference}: this log is not the one that was archived. Name a new folder for it.`,
  );
}

/** The position of the first record that is not older than `since`, or the end; the earliest where `since` is null. */
export async function startOf(
  log: Log,
  { topic, partition, earliest, end }: PartitionOfLog,
  since: number | null,
  signal: AbortSignal,
): Promise<Position> {
  if (since === null || earliest === end) return earliest;
  for await (const { records } of log.read({ topic, partition, from: earliest, to: end, signal })) {
    const first = records.find(({ timestamp }) => timestamp >= since);
    if (first) return first.position;
  }
  return end;
}
