import type { Log, Position } from '../events/log/port.ts';
import { PermanentError } from '../platform/errors.ts';
import { lineDigest } from './record-lines.ts';
import type { ArchivedPartition } from './manifest.ts';

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
  { topic, partition, earliest, end }: PartitionOfLog,
  { to, last }: Pick<ArchivedPartition, 'to' | 'last'>,
  signal: AbortSignal,
): Promise<void> {
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
