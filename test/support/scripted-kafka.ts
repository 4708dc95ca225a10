import type { KafkaClient } from '../../src/events/log/kafka/cluster-client.ts';
import { readFetchResponse } from '../../src/events/log/kafka/fetch-response.ts';
import { openKafkaLog } from '../../src/events/log/kafka.ts';
import type { Batch, Log } from '../../src/events/log/port.ts';
import type { Clock } from '../../src/platform/time/clock.ts';

/** A broker of one topic with one partition, for the reader: it answers fetches with bytes that the test has made. */
export interface ScriptedKafka {
  /** Batches as they lie one behind the other, each with the position after its last one. */
  readonly batches: readonly { readonly end: number; readonly bytes: Buffer }[];
  /** Transactions that were given up, and that a fetch from a position is told of. */
  readonly abortedFrom?: (from: number) => Aborted;
  /** Changes what one answer says; `fetch` counts from 1. */
  readonly answer?: (
    part: AnswerPart,
    fetch: { readonly count: number; readonly from: number; readonly node: number },
  ) => AnswerPart;
  /** The other replicas. */
  readonly others?: readonly number[];
  /** How many bytes an answer has at most; the first batch comes whole. */
  readonly answerBytes?: number;
}

type Aborted = readonly { readonly producerId: bigint; readonly firstOffset: number }[];

export interface AnswerPart {
  readonly errorCode: number;
  readonly bytes: Buffer;
}

export const TOPIC = 't';

export function scriptedClient({
  batches,
  abortedFrom = () => [],
  answer,
  others = [],
  answerBytes = Infinity,
}: ScriptedKafka): KafkaClient {
  const latest = batches.at(-1)?.end ?? 0;
  let count = 0;
  return {
    partitions: async () => [{ partition: 0, leader: 1, others }],
    ends: async () => [{ partition: 0, earliest: 0, latest }],
    fetch: async (node, parts) => {
      const from = parts[0]?.from ?? 0;
      count += 1;
      const first = batches.findIndex(({ end }) => end > from);
      const left = first < 0 ? [] : batches.slice(first);
      let bytes = Buffer.concat(left.map((batch) => batch.bytes));
      bytes = bytes.subarray(0, Math.max(left[0]?.bytes.length ?? 0, answerBytes));
      const part = { errorCode: from > latest ? 1 : 0, bytes };
      const said = answer?.(part, { count, from, node }) ?? part;
      return readFetchResponse(scriptedFetchResponse(said, latest, abortedFrom(from)));
    },
    coordinator: () => Promise.reject(new Error('there are no groups here')),
    [Symbol.dispose]: () => undefined,
  };
}

/** "Fetch Response (Version: 11)". */
export function scriptedFetchResponse(
  { errorCode, bytes }: AnswerPart,
  end: number,
  aborted: Aborted,
): Buffer {
  const head = Buffer.alloc(10 + 4 + 2 + TOPIC.length + 4 + 4 + 2 + 24 + 4);
  head.writeInt32BE(1, 10);
  head.writeInt16BE(TOPIC.length, 14);
  head.write(TOPIC, 16);
  let at = 16 + TOPIC.length;
  head.writeInt32BE(1, at);
  head.writeInt16BE(errorCode, at + 8);
  at += 10;
  for (const position of [end, end, 0]) at = head.writeBigInt64BE(BigInt(position), at);
  head.writeInt32BE(aborted.length, at);
  const transactions = aborted.map(({ producerId, firstOffset }) => {
    const transaction = Buffer.alloc(16);
    transaction.writeBigInt64BE(producerId, 0);
    transaction.writeBigInt64BE(BigInt(firstOffset), 8);
    return transaction;
  });
  const tail = Buffer.alloc(8);
  tail.writeInt32BE(-1, 0);
  tail.writeInt32BE(bytes.length, 4);
  return Buffer.concat([head, ...transactions, tail, bytes]);
}

/** A clock on which nothing takes any time, and each pause is as long as it should be. */
export function hurriedClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

export function openScriptedLog(
  kafka: ScriptedKafka,
  client = scriptedClient(kafka),
  clock = hurriedClock(),
): Log {
  const address = { scheme: 'kafka', brokers: ['localhost:1'], tls: null, sasl: null } as const;
  return openKafkaLog(address, { connect: async () => client, clock });
}

export async function readAll(log: Log, from: number, to: number): Promise<readonly Batch[]> {
  return Array.fromAsync(log.read({ topic: TOPIC, partition: 0, from, to }));
}
