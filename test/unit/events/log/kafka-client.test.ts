import type { Cluster } from 'kafkajs';
import { describe, expect, test } from 'vitest';

import { clientOf, type KafkaClient } from '../../../../src/events/log/kafka/client.ts';
import { hurriedClock } from '../../../support/scripted-kafka.ts';

/** What our client asks of the brokers of a cluster. */

const [NONE, REFUSED] = [0, 29];

interface ScriptedBroker {
  /** What it says of topics: their error code, and who leads their two partitions. Default: no error, and it does. */
  readonly topics?: Readonly<
    Record<string, { readonly code?: number; readonly leaders?: readonly number[] }>
  >;
  /** Partitions that it says a name of an error of. */
  readonly refused?: string;
  /** Whether it can be reached at all. */
  readonly isGone?: boolean;
  /** Records that come before each answer. Default: none. */
  readonly rate?: number;
  /** Whether a transaction is open, since the first question. Default: it is. */
  readonly hasTransaction?: boolean;
}

interface Scripted {
  readonly client: KafkaClient;
  /** Every question, by the broker that it was put to. */
  readonly asked: string[];
}

function clientOfBrokers(
  brokers: Record<number, ScriptedBroker>,
  coordinator: () => number = () => 1,
): Scripted {
  const asked: string[] = [];
  let appended = 0;
  const findBroker = async ({ nodeId }: { readonly nodeId: string }): Promise<unknown> => {
    const node = Number(nodeId);
    const { topics = {}, refused, isGone = false, rate = 0, hasTransaction = true } = brokers[node] ?? {};
    if (isGone) throw Object.assign(new Error('refused'), { name: 'KafkaJSConnectionError' });
    return {
      nodeId: node,
      lookupRequest: () => undefined,
      metadata: async (names: readonly string[]) => {
        asked.push(`${node}: metadata`);
        const topicMetadata = names.map((topic) => {
          const { code = NONE, leaders = [node, node] } = topics[topic] ?? {};
          const partitionMetadata = leaders.map((leader, partitionId) => ({
            partitionId,
            leader,
            isr: [leader],
          }));
          return { topicErrorCode: code, topic, partitionMetadata };
        });
        return { topicMetadata };
      },
      listOffsets: async ({ isolationLevel, topics: parts }: OffsetsRequest) => {
        asked.push(`${node}: offsets`);
        appended += rate;
        const endOf = (first: number): number =>
          hasTransaction && isolationLevel === 1 ? first : first + 1 + appended;
        if (refused !== undefined) throw Object.assign(new Error('no'), { type: refused });
        return {
          responses: parts.map(({ topic, partitions }) => ({
            topic,
            partitions: partitions.map(({ partition, timestamp }) => ({
              partition,
              offset: String(timestamp === -2 ? 0 : endOf(10 * Number(topic) + partition)),
            })),
          })),
        };
      },
    };
  };
  const cluster = {
    getNodeIds: () => Object.keys(brokers).map(Number),
    findBroker,
    findGroupCoordinator: async () => {
      asked.push('who keeps the group?');
      return findBroker({ nodeId: String(coordinator()) });
    },
  };
  const client = clientOf(cluster as unknown as Cluster, { close: () => undefined }, hurriedClock());
  return { client, asked };
}

interface OffsetsRequest {
  readonly isolationLevel: number;
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
  }[];
}

describe('the ends of several topics', () => {
  const ends = (topic: number) =>
    [0, 1].map((partition) => ({
      partition,
      earliest: 0,
      readable: 10 * topic + partition,
      latest: 10 * topic + partition + 1,
    }));

  test('are as many questions to a broker as those of one', async () => {
    const { client, asked } = clientOfBrokers({ 1: {} });
    expect(await client.endsTogether(['1', '2'])).toEqual(
      new Map([
        ['1', ends(1)],
        ['2', ends(2)],
      ]),
    );
    expect(asked).toEqual(['1: metadata', ...Array.from({ length: 3 }, () => '1: offsets')]);
  });

  test('come from the brokers that lead their partitions', async () => {
    const { client, asked } = clientOfBrokers({ 1: { topics: { 2: { leaders: [1, 2] } } }, 2: {} });
    expect((await client.endsTogether(['1', '2']))?.get('2')).toEqual(ends(2));
    expect(asked.filter((one) => one === '2: offsets')).toHaveLength(3);
  });

  test.each<[string, ScriptedBroker]>([
    ['refuses one of them', { topics: { 2: { code: REFUSED } } }],
    ['knows no leader of one of them', { topics: { 2: { leaders: [1, -1] } } }],
    ['leads no more', { refused: 'NOT_LEADER_FOR_PARTITION' }],
  ])('are not told in one go where a broker %s', async (_, broker) => {
    expect(await clientOfBrokers({ 1: broker }).client.endsTogether(['1', '2'])).toBeNull();
  });

  test('tell of a transaction where one is open, never of records that come between two questions', async () => {
    const end = { partition: 0, earliest: 0 };
    const plain = await clientOfBrokers({ 1: { rate: 3, hasTransaction: false } }).client.ends('1');
    expect(plain[0]).toEqual({ ...end, latest: expect.any(Number) });
    const open = await clientOfBrokers({ 1: { rate: 3 } }).client.ends('1');
    expect(open[0]).toEqual({ ...end, readable: 10, latest: expect.any(Number) });
  });

  test('are asked of another broker where one cannot be reached, and fail where none can', async () => {
    const { client } = clientOfBrokers({ 1: { isGone: true }, 2: {} });
    expect((await client.endsTogether(['1', '2']))?.get('2')).toEqual(ends(2));
    const { client: alone } = clientOfBrokers({ 1: { isGone: true } });
    await expect(alone.endsTogether(['1', '2'])).rejects.toThrow('refused');
  });
});

describe('the broker that keeps a group', () => {
  const LOOKED_FOR = 'who keeps the group?';
  const kafkaError = (type: string): Error => Object.assign(new Error('no'), { type });

  test('is looked for once, by group', async () => {
    const { client, asked } = clientOfBrokers({ 1: {} });
    const ask = (group: string) => client.coordinated(group, async ({ nodeId }) => nodeId);
    expect([await ask('a'), await ask('a'), await ask('b')]).toEqual([1, 1, 1]);
    expect(asked).toEqual([LOOKED_FOR, LOOKED_FOR]);
  });

  test('is looked for at once where it has handed the group over, and the work begun again', async () => {
    let keeper = 1;
    const { client } = clientOfBrokers({ 1: {}, 2: {} }, () => keeper);
    const ask = () =>
      client.coordinated('a', async ({ nodeId }) => {
        if (nodeId !== keeper) throw kafkaError('NOT_COORDINATOR_FOR_GROUP');
        return nodeId;
      });
    expect(await ask()).toBe(1);
    keeper = 2;
    expect([await ask(), await ask()]).toEqual([2, 2]);
  });

  test('is looked for at once where it cannot be reached', async () => {
    const brokers: Record<number, ScriptedBroker> = { 1: {}, 2: {} };
    let keeper = 1;
    const { client } = clientOfBrokers(brokers, () => keeper);
    const ask = () => client.coordinated('a', async ({ nodeId }) => nodeId);
    expect(await ask()).toBe(1);
    brokers[1] = { isGone: true };
    keeper = 2;
    expect(await ask()).toBe(2);
  });

  test('is looked for again after a failure, which is told once', async () => {
    const { client, asked } = clientOfBrokers({ 1: {} });
    const ask = (work: () => Promise<void>) => client.coordinated('a', work);
    await ask(async () => undefined);
    let attempts = 0;
    const failing = ask(async () => {
      attempts += 1;
      throw kafkaError('REBALANCE_IN_PROGRESS');
    });
    await expect(failing).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    expect(attempts).toBe(1);
    await ask(async () => undefined);
    expect(asked).toEqual([LOOKED_FOR, LOOKED_FOR]);
  });
});
