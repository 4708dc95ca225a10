import type { Cluster } from 'kafkajs';
import { describe, expect, test } from 'vitest';

import { clientOf } from '../../../../src/events/log/kafka/client.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { hurriedClock } from '../../../support/scripted-kafka.ts';

/** What our client asks of the brokers of a cluster. */

interface ScriptedBroker {
  /** Who leads the two partitions of the topic, by what this broker says. Default: it does. */
  readonly leaders?: readonly number[];
  /** Whether it can be reached at all. */
  readonly isGone?: boolean;
  /** Records that come before each answer. Default: none. */
  readonly rate?: number;
  /** Whether a transaction is open, since the first question. Default: none is. */
  readonly hasTransaction?: boolean;
}

interface OffsetsRequest {
  readonly isolationLevel: number;
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
  }[];
}

const [EARLIEST, READ_COMMITTED] = [-2, 1];

function clientOfBrokers(brokers: Record<number, ScriptedBroker>) {
  let appended = 0;
  const findBroker = async ({ nodeId }: { readonly nodeId: string }): Promise<unknown> => {
    const node = Number(nodeId);
    const { leaders = [node, node], isGone = false, rate = 0, hasTransaction = false } = brokers[node] ?? {};
    if (isGone) throw Object.assign(new Error('refused'), { name: 'KafkaJSConnectionError' });
    return {
      lookupRequest: () => undefined,
      metadata: async (names: readonly string[]) => ({
        topicMetadata: names.map((topic) => ({
          topicErrorCode: 0,
          topic,
          partitionMetadata: leaders.map((leader, partitionId) => ({ partitionId, leader, isr: [leader] })),
        })),
      }),
      listOffsets: async ({ isolationLevel, topics }: OffsetsRequest) => {
        appended += rate;
        const latest = hasTransaction && isolationLevel === READ_COMMITTED ? 10 : 11 + appended;
        return {
          responses: topics.map(({ topic, partitions }) => ({
            topic,
            partitions: partitions.map(({ partition, timestamp }) => ({
              partition,
              offset: String(timestamp === EARLIEST ? 0 : latest + 100 * node),
            })),
          })),
        };
      },
    };
  };
  const cluster = { getNodeIds: () => Object.keys(brokers).map(Number), findBroker };
  return clientOf(cluster as unknown as Cluster, { close: () => undefined }, hurriedClock());
}

describe('the ends of a topic', () => {
  const end = { partition: 0, earliest: 0 };

  test('come from the brokers that lead its partitions', async () => {
    const client = clientOfBrokers({ 1: { leaders: [1, 2] }, 2: {} });
    expect(await client.ends('t')).toEqual([
      { ...end, latest: 111 },
      { ...end, partition: 1, latest: 211 },
    ]);
  });

  test('are not known while one of its partitions has no leader', async () => {
    await expect(clientOfBrokers({ 1: { leaders: [1, -1] } }).ends('t')).rejects.toThrow(RetryableError);
  });

  test('tell of a transaction where one is open, never of records that come between two questions', async () => {
    const plain = await clientOfBrokers({ 1: { rate: 3 } }).ends('t');
    expect(plain[0]).toEqual({ ...end, latest: expect.any(Number) });
    const open = await clientOfBrokers({ 1: { rate: 3, hasTransaction: true } }).ends('t');
    expect(open[0]).toEqual({ ...end, readable: 110, latest: expect.any(Number) });
  });

  test('are asked of another broker where one cannot be reached, and fail where none can', async () => {
    const client = clientOfBrokers({ 1: { isGone: true }, 2: {} });
    expect((await client.ends('t'))[0]).toEqual({ ...end, latest: 211 });
    await expect(clientOfBrokers({ 1: { isGone: true } }).ends('t')).rejects.toThrow('refused');
  });
});
