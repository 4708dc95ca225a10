import type { Message, Producer, RecordMetadata } from 'kafkajs';

import type { Clock } from '../../../platform/time/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { partitionOf } from '../partitioner.ts';
import type { NewRecord, Place } from '../port.ts';
import type { Backoff } from './connect-backoff.ts';
import { ReconnectingClient, answerWithin } from './reconnecting-client.ts';
import { type KafkaConnectionOptions, openKafkajsClient } from './kafkajs-client.ts';

/*
 * An idempotent producer that has failed is not used again: what its sequence numbers have come to is not known. One
 * that could not connect has sent nothing: another is tried while there is patience left. The broker that it asked for its
 * id may have died a moment ago, and the others name it for as long as its session lasts.
 */

interface AppenderOptions {
  readonly connection: KafkaConnectionOptions;
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** How long one chunk is tried, in milliseconds; then it is a `RetryableError`. */
  readonly patienceMs: number;
  /** Opens connections in the place of kafkajs. */
  readonly open?: typeof openKafkajsClient;
}

/** Every replica that is in step has a record before it counts as appended. */
const ALL_REPLICAS = -1;

export class Appender implements Disposable {
  readonly #options: AppenderOptions;
  readonly #client: ReconnectingClient<ConnectedProducer>;

  constructor(options: AppenderOptions) {
    const { connection, backoff, clock, open = openKafkajsClient } = options;
    this.#options = options;
    const connect = (): Promise<ConnectedProducer> => connectProducer(connection, open);
    this.#client = new ReconnectingClient({ connect, backoff, clock });
  }

  /**
   * Appends in order, and returns the place of each record. Each partition's are a batch of their own: of one that goes to
   * several brokers, kafkajs repeats all that is still on its way once a broker fails, and it is appended twice.
   * @param counts how many partitions each topic has.
   */
  async append(
    records: readonly NewRecord[],
    counts: ReadonlyMap<string, number>,
  ): Promise<readonly Place[]> {
    const placed = records.map((record): PartitionedRecord => {
      return { record, partition: partitionOf(record.key, counts.get(record.topic) ?? 1) };
    });
    const batches = Map.groupBy(placed, ({ record, partition }) => `${record.topic}/${partition}`);
    const topics = [...new Set(records.map(({ topic }) => topic))];
    const { patienceMs, clock } = this.#options;
    const until = clock.monotonic() + patienceMs;
    try {
      await answerWithin(patienceMs, 'appending', () => this.#connect(until));
      const send = async ({ producer }: ConnectedProducer): Promise<readonly Place[]> => {
        const sent = [...batches.values()].map((batch) => {
          const topic = batch[0]?.record.topic ?? '';
          return producer.send({ acks: ALL_REPLICAS, topic, messages: batch.map(toMessage) });
        });
        return placesOf(placed, (await Promise.all(sent)).flat());
      };
      return await this.#client.use('appending', Math.max(0, until - clock.monotonic()), send, topics);
    } catch (thrown) {
      // One that does not answer any more is known to be lost by now; with another one there is nothing to wait for.
      this.#client.dropConnected(false);
      throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Tries to connect until `until`, on the monotonic clock; attempts are paced. */
  async #connect(until: number): Promise<void> {
    for (;;) {
      try {
        await this.#client.connected();
        return;
      } catch (thrown) {
        if (!(thrown instanceof RetryableError) || this.#options.clock.monotonic() >= until) throw thrown;
      }
    }
  }
}

interface PartitionedRecord {
  readonly record: NewRecord;
  readonly partition: number;
}

function toMessage({ record: { key, value, headers }, partition }: PartitionedRecord): Message {
  const bytes = value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { key, value: bytes, headers: { ...headers }, partition };
}

/** A partition's records follow each other from where the first one stands. */
function placesOf(
  placed: readonly PartitionedRecord[],
  answers: readonly RecordMetadata[],
): readonly Place[] {
  const next = new Map(
    answers.map(({ topicName, partition, baseOffset }) => [`${topicName}/${partition}`, Number(baseOffset)]),
  );
  return placed.map(({ record: { topic }, partition }) => {
    const position = next.get(`${topic}/${partition}`);
    // kafkajs leaves out, without a word, what it knows no leader for.
    if (position === undefined)
      throw new RetryableError(`Kafka, appending: ${topic}/${partition} has no leader.`);
    next.set(`${topic}/${partition}`, position + 1);
    return { topic, partition, position };
  });
}

interface ConnectedProducer extends Disposable {
  readonly producer: Producer;
}

async function connectProducer(
  connection: KafkaConnectionOptions,
  open: typeof openKafkajsClient,
): Promise<ConnectedProducer> {
  const kafkajsClient = open(connection);
  const producer = kafkajsClient.kafka.producer({
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
  try {
    await answerWithin(connection.requestMs, 'connecting to append', () => producer.connect());
    return { producer, [Symbol.dispose]: () => kafkajsClient.close() };
  } catch (thrown) {
    kafkajsClient.close();
    throw thrown;
  }
}

/** Partitions that are added count from then on. */
const METADATA_MS = 30_000;
