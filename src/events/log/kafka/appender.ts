import type { Producer, RecordMetadata } from 'kafkajs';

import { RetryableError } from '../../../platform/errors.ts';
import { partitionOf } from '../partition.ts';
import type { NewRecord, Place } from '../port.ts';
import { openConnections, type ConnectionOptionsOfOurs, type Connections } from './connections.ts';
import { translateKafka } from './errors.ts';
import { within } from './link.ts';
import type { Pace } from './pace.ts';

/*
 * none --first append--> connecting --> connected --an append fails--> none
 *
 * An idempotent producer that has failed is not used again: what its sequence numbers have come to is not known.
 */

export interface AppenderOptions {
  readonly connection: ConnectionOptionsOfOurs;
  readonly pace: Pace;
  /** How long one chunk is tried, in milliseconds; then it is a `RetryableError`. */
  readonly patienceMs: number;
}

/** Every replica that is in step has a record before it counts as appended. */
const ALL_REPLICAS = -1;

export class Appender implements Disposable {
  readonly #options: AppenderOptions;
  #hasAppended = false;
  #current: { readonly producer: Promise<Producer>; readonly connections: Connections } | null = null;

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  /**
   * Appends in order, and returns the place of each record.
   * @param counts how many partitions each topic has.
   */
  async append(
    records: readonly NewRecord[],
    counts: ReadonlyMap<string, number>,
  ): Promise<readonly Place[]> {
    const partitions = records.map(({ topic, key }) => partitionOf(key, counts.get(topic) ?? 1));
    const messages = records.map((record, index) => toMessage(record, partitions[index] ?? 0));
    const batch = {
      acks: ALL_REPLICAS,
      topicMessages: [...new Set(records.map(({ topic }) => topic))].map((topic) => ({
        topic,
        messages: messages.filter((_, index) => records[index]?.topic === topic),
      })),
    };
    const { patienceMs } = this.#options;
    try {
      const answers = await within(patienceMs, 'appending', async () =>
        (await this.#producer()).sendBatch(batch),
      );
      this.#hasAppended = true;
      return placesOf(records, partitions, answers);
    } catch (thrown) {
      this.#drop();
      throw translateKafka('appending', thrown, this.#hasAppended);
    }
  }

  [Symbol.dispose](): void {
    this.#drop();
  }

  #drop(): void {
    this.#current?.connections.close();
    this.#current = null;
  }

  #producer(): Promise<Producer> {
    if (this.#current) return this.#current.producer;
    const connections = openConnections(this.#options.connection);
    const producer = connections.kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_MS,
      // Tried again for as long as the patience lasts: a limit of its own would break the promise of idempotence.
      retry: { retries: Number.MAX_SAFE_INTEGER, initialRetryTime: 100, maxRetryTime: 500 },
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    const connected = this.#options.pace.attempt(async () => {
      await producer.connect();
      return producer;
    });
    this.#current = { producer: connected, connections };
    return connected;
  }
}

/** Partitions that are added count from then on. */
const METADATA_MS = 30_000;

function toMessage({ key, value, headers }: NewRecord, partition: number) {
  return { key, value: value === null ? null : asBuffer(value), headers: { ...headers }, partition };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A partition's records follow each other from where the first one stands. */
function placesOf(
  records: readonly NewRecord[],
  partitions: readonly number[],
  answers: readonly RecordMetadata[],
): readonly Place[] {
  const next = new Map(
    answers.map(({ topicName, partition, baseOffset }) => [`${topicName}/${partition}`, Number(baseOffset)]),
  );
  return records.map(({ topic }, index) => {
    const partition = partitions[index] ?? 0;
    const position = next.get(`${topic}/${partition}`);
    // kafkajs leaves out, without a word, what it knows no leader for.
    if (position === undefined)
      throw new RetryableError(`Kafka, appending: ${topic}/${partition} has no leader.`);
    next.set(`${topic}/${partition}`, position + 1);
    return { topic, partition, position };
  });
}
