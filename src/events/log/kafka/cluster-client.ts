import type { Cluster } from 'kafkajs';

import { type Clock, systemClock } from '../../../platform/time/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import type { PartitionEnds, PositionRange } from '../port.ts';
import { type KafkaConnectionOptions, type KafkajsClient, openKafkajsClient } from './kafkajs-client.ts';
import { endsOf, READ_COMMITTED } from './ends.ts';
import { namesOf } from './errors.ts';
import {
  type FullBroker,
  clusterOf,
  fetchFrom,
  metadataOf,
  vendorError,
  type TopicMetadata,
} from './kafkajs-internals.ts';
import { ERROR, type FetchResponse } from './fetch-response.ts';

/** What of a partition is asked for in one fetch. */
export type FetchedPart = Omit<PositionRange, 'to'>;

export interface PartitionLeader {
  readonly partition: number;
  /** The broker's id; null while the partition has no leader. */
  readonly leader: number | null;
  /** The other replicas that are in step. */
  readonly others?: readonly number[];
}

/**
 * A connected client of the cluster. It is never repaired: where its connections break it is closed, and another one
 * takes its place (reconnecting-client.ts), whatever kafkajs does or does not do to come back by itself.
 */
export interface KafkaClient extends Disposable {
  /** Partitions in order; none where the topic does not exist. */
  partitions(topic: string): Promise<readonly PartitionLeader[]>;
  /** The ends of every partition. None where there is no such topic. */
  ends(topic: string): Promise<readonly PartitionEnds[]>;
  /** Asks one broker for partitions that it leads, and waits for up to `maxWaitMs` until one of them has something. */
  fetch(nodeId: number, parts: readonly FetchedPart[], maxWaitMs: number): Promise<FetchResponse>;
  /** The broker that keeps the group. */
  coordinator(group: string): Promise<FullBroker>;
}

/** Per partition; the first batch comes whole even where it is larger. */
const PART_BYTES = 1024 * 1024;
const FETCH_BYTES = 16 * 1024 * 1024;
/** The pause before a coordinator is looked for again, in milliseconds. */
const COORDINATOR_MS = 250;
/** How long a partition may be without a leader, in milliseconds: a topic that has just been made, an election. */
const LEADING_MS = 2000;
/** The pause before its leader is asked again. */
const LEADER_MS = 50;
/** How long a topic must be unknown to every broker before that is believed, in milliseconds. */
const UNKNOWN_MS = 1000;
/** Some broker does not know yet, or no longer, that it leads. */
const UNLED = new Set(['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'UNKNOWN_TOPIC_OR_PARTITION']);

export async function connectClient(options: KafkaConnectionOptions): Promise<KafkaClient> {
  const kafkajsClient = openKafkajsClient(options);
  try {
    const cluster = clusterOf(kafkajsClient.kafka);
    await cluster.connect();
    await cluster.refreshMetadata();
    return clientOf(cluster, kafkajsClient);
  } catch (thrown) {
    kafkajsClient.close();
    throw thrown;
  }
}

/** Exported for tests, which have brokers and a time of their own. */
export function clientOf(
  cluster: Cluster,
  kafkajsClient: Pick<KafkajsClient, 'close'>,
  clock: Clock = systemClock,
): KafkaClient {
  let isClosed = false;

  const brokerOf = async (nodeId: number): Promise<FullBroker> =>
    (await cluster.findBroker({ nodeId: String(nodeId) })) as FullBroker;

  /** What the first broker that knows the topic says; undefined where all that answer do not know it. */
  const metadata = async (topic: string): Promise<TopicMetadata | undefined> => {
    let failure: unknown = new RetryableError('Kafka names no broker.');
    let isUnknown = false;
    for (const nodeId of cluster.getNodeIds()) {
      try {
        const found = await metadataOf(await brokerOf(nodeId), topic);
        switch (found?.topicErrorCode) {
          case ERROR.none:
          case ERROR.topicAuthorizationFailed:
          case ERROR.invalidTopic:
            return found;
          // A broker that has just started may not have heard of the topic yet.
          case undefined:
          case ERROR.unknownTopicOrPartition:
            isUnknown = true;
            break;
          default:
            failure = new RetryableError(
              `Kafka cannot tell of ${topic} at the moment: error code ${found?.topicErrorCode}.`,
            );
        }
      } catch (thrown) {
        failure = thrown;
      }
    }
    if (!isUnknown) throw failure;
    return undefined;
  };

  const partitions = async (topic: string): Promise<readonly PartitionLeader[]> => {
    const found = await metadata(topic);
    if (found?.topicErrorCode === ERROR.topicAuthorizationFailed)
      throw vendorError('TOPIC_AUTHORIZATION_FAILED', `Kafka keeps ${topic} from this user`);
    // A name that is not valid is that of no topic.
    if (found?.topicErrorCode !== ERROR.none) return [];
    return found.partitionMetadata
      .map(({ partitionId: partition, leader, isr }) => {
        const others = isr.filter((node) => node !== leader);
        return { partition, leader: leader < 0 ? null : leader, others };
      })
      .toSorted((a, b) => a.partition - b.partition);
  };

  return {
    partitions,

    ends: async (topic) => {
      const since = clock.monotonic();
      for (;;) {
        try {
          const found = await endsOf(topic, await partitions(topic), brokerOf);
          // One broker that does not know a topic may be the one that has just started.
          if (found.length > 0 || isClosed || clock.monotonic() - since >= UNKNOWN_MS) return found;
          await clock.sleep(UNKNOWN_MS / 4);
        } catch (thrown) {
          const mayPass = namesOf(thrown).some((name) => UNLED.has(name));
          if (isClosed || !mayPass) throw thrown;
          if (clock.monotonic() - since >= LEADING_MS)
            throw new RetryableError(`${topic} has no leaders.`, { cause: thrown });
          await clock.sleep(LEADER_MS);
        }
      }
    },

    fetch: async (nodeId, parts, maxWaitMs) => {
      const topics = Map.groupBy(parts, ({ topic }) => topic);
      return fetchFrom(await brokerOf(nodeId), {
        maxWaitTime: maxWaitMs,
        maxBytes: FETCH_BYTES,
        isolationLevel: READ_COMMITTED,
        topics: [...topics].map(([topic, asked]) => {
          const places = asked.map(({ partition, from }) => {
            return { partition, fetchOffset: String(from), maxBytes: PART_BYTES };
          });
          return { topic, partitions: places };
        }),
      });
    },

    coordinator: async (groupId) => {
      for (;;) {
        try {
          return (await cluster.findGroupCoordinator({ groupId })) as FullBroker;
        } catch (thrown) {
          // The first group of a cluster waits for the topic that groups are kept in. The caller limits the time and
          // closes the client then: going on would keep the process alive for good.
          if (isClosed || !namesOf(thrown).includes('KafkaJSGroupCoordinatorNotFound')) throw thrown;
          await clock.sleep(COORDINATOR_MS);
        }
      }
    },

    [Symbol.dispose]: () => {
      isClosed = true;
      kafkajsClient.close();
    },
  };
}
