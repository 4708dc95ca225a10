import kafkajs, { type Admin } from 'kafkajs';

import type { TopicSettings, TopicSpec } from '../port.ts';
import { type ConnectionOptionsOfOurs, openConnections } from './connections.ts';
import { translateKafka } from './errors.ts';
import { within } from './reconnecting-client.ts';
import { configOf, settingsOf } from './topic-config.ts';

/** What is done to topics: rarely, so each call has connections of its own, and leaves none behind. */
export interface TopicAdmin {
  /** Creates them; one that exists by now is left as it is. Their partitions may have no leaders yet. */
  create(topics: readonly TopicSpec[]): Promise<void>;
  settings(topic: string, partitions: number): Promise<TopicSettings>;
}

/** How long one of these calls may take, in milliseconds: a large cluster takes its time to create topics. */
const LIMIT_MS = 30_000;
const BROKERS_DEFAULT = -1;

export function createTopicAdmin(options: ConnectionOptionsOfOurs): TopicAdmin {
  const use = async <T>(what: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
    const connections = openConnections(options);
    try {
      return await within(LIMIT_MS, what, async () => {
        const admin = connections.kafka.admin();
        await admin.connect();
        return work(admin);
      });
    } catch (thrown) {
      throw translateKafka(what, thrown);
    } finally {
      connections.close();
    }
  };

  return {
    create: (topics) =>
      use('creating topics', async (admin) => {
        await admin.createTopics({
          // kafkajs fails where the broker that it asks has not heard of the topic yet.
          waitForLeaders: false,
          topics: topics.map(({ name, partitions, retentionMs }) => ({
            topic: name,
            numPartitions: partitions,
            replicationFactor: BROKERS_DEFAULT,
            configEntries: configOf(retentionMs),
          })),
        });
      }),

    settings: (topic, partitions) =>
      use('reading the settings of topics', async (admin) => {
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
        });
        const { topics: described } = await admin.fetchTopicMetadata({ topics: [topic] });
        const entries = resources.flatMap(({ configEntries }) => configEntries);
        const copies = described.flatMap((one) => one.partitions.map(({ replicas }) => replicas.length));
        return settingsOf(
          partitions,
          new Map(entries.map((one) => [one.configName, one.configValue])),
          copies,
        );
      }),
  };
}
