import type { Cluster } from 'kafkajs';
import { describe, expect, test } from 'vitest';

import { clientOf, type KafkaClient } from '../../../../src/events/log/kafka/cluster-client.ts';
import { Fetcher } from '../../../../src/events/log/kafka/fetch-from-leaders.ts';
import { ReconnectingClient } from '../../../../src/events/log/kafka/reconnecting-client.ts';
import { createBackoff } from '../../../../src/events/log/kafka/connect-backoff.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { encodeBatch } from '../../../support/record-batches.ts';
import {
  hurriedClock,
  openScriptedLog,
  readAll,
  scriptedClient,
  TOPIC,
} from '../../../support/scripted-kafka.ts';

/** What a broker that has just started, or is busy, says of a topic that exists: nobody may take it for the truth. */

const [NONE, UNKNOWN_TOPIC, NO_LEADER, BY_NO_NAME] = [0, 3, 5, 4711];
/** Of one record. */
const BATCH = { end: 1, bytes: encodeBatch(0, [{ delta: 0, value: Buffer.from('v') }]) };
const LATEST = '-1';
const [EARLIEST, READ_COMMITTED] = [-2, 1];

interface ScriptedBroker {
  /** The topic's error code for each question in turn; the last one stays. Default: none. */
  readonly codes?: readonly number[];
  /** Who leads the two partitions of the topic, by what this broker says. Default: broker 1. */
  readonly leaders?: readonly number[];
  /** Whether it can be reached at all. */
  readonly isGone?: boolean;
  /** What it says of offsets, whatever it is asked. Default: what it has. */
  readonly offsets?: readonly { readonly partition: number; readonly offset: string }[];
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

/** A client of these brokers, by their ids. A partition ends at 11, and at 100 more for each broker before. */
function clientTold(brokers: Readonly<Record<number, ScriptedBroker>>, clock = hurriedClock()) {
  const asked = new Map<string, number>();
  let appended = 0;
  const findBroker = async ({ nodeId }: { readonly nodeId: string }): Promise<unknown> => {
    const { codes = [NONE], leaders = [1, 1], isGone, offsets, ...has } = brokers[Number(nodeId)] ?? {};
    if (isGone) throw Object.assign(new Error('refused'), { name: 'KafkaJSConnectionError' });
    return {
      lookupRequest: () => undefined,
      metadata: async ([topic]: readonly string[]) => {
        const count = asked.get(nodeId) ?? 0;
        asked.set(nodeId, count + 1);
        const topicErrorCode = codes[Math.min(count, codes.length - 1)];
        const known = topicErrorCode === NONE ? leaders : [];
        const partitionMetadata = known.map((leader, partitionId) => ({ partitionId, leader, isr: [1, 2] }));
        return { topicMetadata: [{ topicErrorCode, topic, partitionMetadata }] };
      },
      listOffsets: async ({ isolationLevel, topics }: OffsetsRequest) => {
        appended += has.rate ?? 0;
        const latest = has.hasTransaction && isolationLevel === READ_COMMITTED ? 10 : 11 + appended;
        const found = topics[0]?.partitions.map(({ partition, timestamp }) => ({
          partition,
          offset: String(timestamp === EARLIEST ? 0 : latest + 100 * (Number(nodeId) - 1)),
        }));
        return { responses: [{ topic: 't', partitions: offsets ?? found }] };
      },
    };
  };
  const cluster = { getNodeIds: () => Object.keys(brokers).map(Number), findBroker };
  return clientOf(cluster as unknown as Cluster, { close: () => undefined }, clock);
}

describe('the ends of a topic', () => {
  const end = { partition: 0, earliest: 0 };

  test('come from the brokers that lead its partitions', async () => {
    expect(await clientTold({ 1: { leaders: [1, 2] }, 2: {} }).ends('t')).toEqual([
      { ...end, latest: 11 },
      { ...end, partition: 1, latest: 111 },
    ]);
  });

  test('are not known while one of its partitions has no leader', async () => {
    await expect(clientTold({ 1: { leaders: [1, -1] } }).ends('t')).rejects.toThrow(RetryableError);
  });

  test('tell of a transaction where one is open, never of records that come between two questions', async () => {
    const plain = await clientTold({ 1: { rate: 3 } }).ends('t');
    expect(plain[0]).toEqual({ ...end, latest: expect.any(Number) });
    const open = await clientTold({ 1: { rate: 3, hasTransaction: true } }).ends('t');
    expect(open[0]).toEqual({ ...end, readable: 10, latest: expect.any(Number) });
  });

  test('are asked of another broker where one cannot be reached, and fail where none can', async () => {
    const client = clientTold({ 1: { isGone: true }, 2: { leaders: [2, 2] } });
    expect((await client.ends('t'))[0]).toEqual({ ...end, latest: 111 });
    await expect(clientTold({ 1: { isGone: true } }).ends('t')).rejects.toThrow('refused');
  });
});

describe('a topic that a broker does not know', () => {
  test('is known as soon as another broker knows it', async () => {
    const client = clientTold({ 1: { codes: [UNKNOWN_TOPIC] }, 2: {} });
    expect(await client.partitions('t')).toEqual([
      { partition: 0, leader: 1, others: [2] },
      { partition: 1, leader: 1, others: [2] },
    ]);
  });

  test('is asked for again, and has its ends then, never none at the first answer', async () => {
    const client = clientTold({ 1: { codes: [UNKNOWN_TOPIC, UNKNOWN_TOPIC, NONE] } });
    expect(await client.ends('t')).toEqual(
      [0, 1].map((partition) => ({ partition, earliest: 0, latest: 11 })),
    );
  });

  test('has no partitions where every broker says so, for as long as it says so', async () => {
    const clock = hurriedClock();
    const client = clientTold({ 1: { codes: [UNKNOWN_TOPIC] }, 2: { codes: [UNKNOWN_TOPIC] } }, clock);
    expect(await client.partitions('t')).toEqual([]);
    expect(await client.ends('t')).toEqual([]);
    expect(clock.monotonic()).toBe(1000);
  });

  test.each([NO_LEADER, BY_NO_NAME])('nothing is concluded from the error code %d', async (code) => {
    await expect(clientTold({ 1: { codes: [code] } }).partitions('t')).rejects.toThrow(RetryableError);
    expect(await clientTold({ 1: { codes: [code] }, 2: {} }).partitions('t')).toHaveLength(2);
  });

  test.each<[string, NonNullable<ScriptedBroker['offsets']>]>([
    ['is missing from an answer', [{ partition: 0, offset: '5' }]],
    ['is answered for with nothing', [0, 1].map((partition) => ({ partition, offset: LATEST }))],
  ])('a partition that %s has ends that are not known, and not 0', async (_, offsets) => {
    await expect(clientTold({ 1: { offsets } }).ends('t')).rejects.toThrow(RetryableError);
  });

  test('is waited for by an append, which then says what it has waited for', async () => {
    const client = {
      ...scriptedClient({ batches: [] }),
      partitions: async () => [],
      [Symbol.dispose]: () => undefined,
    };
    await using log = openScriptedLog({ batches: [] }, client);
    const appending = log.append([{ topic: 'unknown', key: 'k', value: null, headers: {} }]);
    await expect(appending).rejects.toThrow(RetryableError);
    await expect(appending).rejects.toThrow(/knew the topic unknown for 10000 ms. Create it first/);
  });

  test('does not make a lane believe that its log is younger: reading is tried again', async () => {
    const kafka = { batches: [BATCH] };
    const client = scriptedClient(kafka);
    let questions = 0;
    const partitions: typeof client.partitions = async (topic) => {
      questions += 1;
      return questions === 1 ? [] : client.partitions(topic);
    };
    const told = { ...client, partitions, [Symbol.dispose]: () => undefined };
    await using log = openScriptedLog(kafka, told);
    await expect(readAll(log, 0, 1)).rejects.toThrow(RetryableError);
    expect((await readAll(log, 0, 1)).flatMap(({ records }) => records)).toMatchObject([
      { topic: TOPIC, position: 0 },
    ]);
  });
});

test('a partition without a leader keeps no other partition of its topic from being read', async () => {
  const client = scriptedClient({ batches: [BATCH] });
  const partitions: typeof client.partitions = async () => [
    { partition: 0, leader: 1 },
    { partition: 1, leader: null },
  ];
  using fetcher = fetcherOf([{ ...client, partitions }]);
  const [leaderless, led] = await Promise.allSettled([fetched(fetcher, 1), fetched(fetcher)]);
  expect(leaderless).toMatchObject({ status: 'rejected', reason: expect.any(RetryableError) });
  expect(led).toMatchObject({ status: 'fulfilled', value: { kind: 'records' } });
});

test('a leader that goes on to answer with nothing, though another one leads by now, is found out', async () => {
  const [replaced, leading] = [scriptedClient({ batches: [] }), scriptedClient({ batches: [BATCH] })];
  let now = 0;
  const clock = { ...hurriedClock(), monotonic: () => now };
  const told: typeof leading = {
    ...leading,
    partitions: async () => [{ partition: 0, leader: now === 0 ? 1 : 2 }],
    fetch: async (node, parts, maxWaitMs) => {
      now += maxWaitMs;
      return (node === 1 ? replaced : leading).fetch(node, parts, maxWaitMs);
    },
  };
  using fetcher = fetcherOf([told], clock);
  expect(await fetched(fetcher)).toMatchObject({ kind: 'records' });
  expect(now).toBeGreaterThanOrEqual(10_000);
});

test.each(['partitions', 'fetch'] as const)(
  'a client that never answers its %s is replaced: nothing says that it would ever answer again',
  async (name) => {
    const client = scriptedClient({ batches: [BATCH] });
    const silent: typeof client = { ...client, [name]: () => Promise.withResolvers<never>().promise };
    using fetcher = fetcherOf([silent, client], hurriedClock(), 20);
    await expect(fetched(fetcher)).rejects.toThrow(/no answer in \d+ ms/);
    expect(await fetched(fetcher)).toMatchObject({ kind: 'records' });
  },
);

function fetched(fetcher: Fetcher, partition = 0): ReturnType<Fetcher['fetch']> {
  return fetcher.fetch({ topic: TOPIC, partition, from: 0 }, new AbortController().signal);
}

/** A fetcher that is connected with each of these in turn. */
function fetcherOf(clients: KafkaClient[], clock = hurriedClock(), requestMs = 1000): Fetcher {
  const connect = async (): Promise<KafkaClient> => ({
    ...(clients.shift() as KafkaClient),
    [Symbol.dispose]: () => undefined,
  });
  const client = new ReconnectingClient({ connect, backoff: createBackoff(clock), clock });
  return new Fetcher({ client, clock, requestMs });
}
