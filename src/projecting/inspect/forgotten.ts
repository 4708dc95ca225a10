import type { Log } from '../../events/log/port.ts';
import type { Projection } from '../engine/projection.ts';

/** What a log no longer holds of a partition: the records before this position. */
interface Forgotten {
  readonly topic: string;
  readonly partition: number;
  readonly before: number;
}

interface ForgottenParts {
  readonly log: Pick<Log, 'ends'>;
  readonly topicName: (topic: string) => string;
}

/** What cannot be folded again: the log was cut, by its retention or by hand. */
export async function forgottenBy(
  { log, topicName }: ForgottenParts,
  { topics }: Pick<Projection, 'topics'>,
): Promise<readonly Forgotten[]> {
  const found: Forgotten[] = [];
  for (const topic of topics.map(topicName))
    for (const { partition, earliest } of await log.ends(topic))
      if (earliest > 0) found.push({ topic, partition, before: earliest });
  return found;
}

/** One line for people; null where the log is whole. */
export function describeForgotten(forgotten: readonly Forgotten[]): string | null {
  if (forgotten.length === 0) return null;
  const places = forgotten.map(({ topic, partition, before }) => `${topic}/${partition} before ${before}`);
  return `the log no longer holds the records of ${places.join(', ')}`;
}
