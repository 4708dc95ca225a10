import type { KafkaClient } from './client.ts';

/** How many partitions each topic has; 0 where there is no such topic. */
export async function countPartitions(
  client: Pick<KafkaClient, 'partitions' | 'partitionsTogether'>,
  topics: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const together = await client.partitionsTogether(topics);
  const counts = new Map<string, number>();
  for (const topic of topics)
    counts.set(topic, (together?.get(topic) ?? (await client.partitions(topic))).length);
  return counts;
}
