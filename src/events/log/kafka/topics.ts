import kafkajs, { type Admin } from 'kafkajs';

import type { TopicSettings, TopicSpec } from '../port.ts';
import { type KafkaConnectionOptions, openKafkajsClient } from './kafkajs-client.ts';
import { translateKafka } from './errors.ts';
import { answerWithin } from './reconnecting-client.ts';

/** What is done to topics: rarely, so each call has a client of its own, and leaves none behind. */

/** How long one of these calls may take, in milliseconds: a large cluster takes its time to create topics. */
const LIMIT_MS = 30_000;
const BROKERS_DEFAULT = -1;

async function asAdmin<T>(
  options: KafkaConnectionOptions,
  what: string,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const kafkajsClient = openKafkajsClient(options);
  try {
    return await answerWithin(LIMIT_MS, what, async () => {
      const admin = kafkajsClient.kafka.admin();
      await admin.connect();
      return work(admin);
    });
  } catch (thrown) {
    throw translateKafka(what, thrown);
  } finally {
    kafkajsClient.close();
  }
}

/** Creates them; one that exists by now is left as it is. Their partitions may have no leaders yet. */
export async function createTopics(
  options: KafkaConnectionOptions,
  topics: readonly TopicSpec[],
): Promise<void> {
  await asAdmin(options, 'creating topics', (admin) =>
    admin.createTopics({
      // kafkajs fails where the broker that it asks has not heard of the topic yet.
      waitForLeaders: false,
      topics: topics.map(({ name, partitions, retentionMs }) => ({
        topic: name,
        numPartitions: partitions,
        replicationFactor: BROKERS_DEFAULT,
        configEntries: configOf(retentionMs),
      })),
    }),
  );
}

export async function readSettings(
  options: KafkaConnectionOptions,
  topic: string,
  partitions: number,
): Promise<TopicSettings> {
  return await asAdmin(options, 'reading the settings of topics', async (admin) => {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
    });
    const { topics: described } = await admin.fetchTopicMetadata({ topics: [topic] });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    const config = new Map(entries.map((one) => [one.configName, one.configValue]));
    const copies = described.flatMap((one) => one.partitions.map(({ replicas }) => replicas.length));
    const retention = Number(config.get('retention.ms') ?? -1);
    const retentionMs = retention < 0 ? null : retention;
    const least = config.get('min.insync.replicas');
    const minInSync = least === undefined ? null : Number(least);
    const durability = { replicas: Math.min(...copies), minInSync };
    return { partitions, retentionMs, remarks: remarksOn(config), durability };
  });
}

/** The settings that a topic is created with, by Kafka's own names. */
function configOf(retentionMs: number | null): { name: string; value: string }[] {
  const retention = { name: 'retention.ms', value: String(retentionMs ?? -1) };
  return [...EXPECTED.map(([name, value]) => ({ name, value })), retention];
}

/**
 * The time of the append is the broker's: a publisher with a wrong clock must not decide what counts as too late.
 * Compaction keeps the last offset of a key, the read models the highest revision, which may be another record.
 */
const EXPECTED = [
  ['message.timestamp.type', 'LogAppendTime', 'else the publisher’s clock says when a record arrived'],
  ['cleanup.policy', 'delete', 'compaction may drop a record that a rebuild needs'],
  ['retention.bytes', '-1', 'a limit in bytes cuts the log before its time'],
] as const;

function remarksOn(config: ReadonlyMap<string, string>): readonly string[] {
  return EXPECTED.filter(([name, expected]) => config.has(name) && config.get(name) !== expected).map(
    ([name, expected, why]) => `${name} is ${config.get(name)}, expected ${expected}: ${why}`,
  );
}
