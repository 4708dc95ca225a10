import type { Log } from '../../events/log/port.ts';
import type { Projection } from '../engine/projection.ts';
import { partitionsOf, type HeldPartition } from '../replay/history.ts';

interface ForgottenParts {
  readonly log: Pick<Log, 'ends'>;
  readonly topicName: (topic: string) => string;
}

/** What cannot be folded again, before the beginning of these partitions: the log was cut, by its retention or by hand. */
export async function forgottenPartitions(
  { log, topicName }: ForgottenParts,
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
