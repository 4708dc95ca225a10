import type { Producer } from 'kafkajs';

import type { Clock } from '../../../platform/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { partitionOf } from '../partition.ts';
import type { NewRecord, Place } from '../port.ts';
import type { Backoff } from './backoff.ts';
import { type ConnectionOptionsOfOurs, type Connections, openConnections } from './connections.ts';
import { isTopicRefusal, translateKafka } from './errors.ts';
import { placesOf, toMessage } from './producer-batch.ts';
import { within } from './reconnecting-client.ts';

/*
 * none --first append--> connecting --> connected --an append fails--> none
 *                            | ^
 *                            +-+ fails, and there is patience left
 *
 * An idempotent producer that has failed is not used again: what its sequence numbers have come to is not known. One
 * that could not connect has sent nothing: another is tried. The broker that it asked for its id may have died a moment
 * ago, and the others name it for as long as its session lasts.
 */

export interface AppenderOptions {
  readonly connection: ConnectionOptionsOfOurs;
  readonly backoff: Backoff;
  readonly clock: Clock;
  /** How long one chunk is tried, in milliseconds; then it is a `RetryableError`. */
  readonly patienceMs: number;
  /** Opens connections in the place of kafkajs. */
  readonly open?: (options: ConnectionOptionsOfOurs) => Connections;
}

/** Every replica that is in step has a record before it counts as appended. */
const ALL_REPLICAS = -1;

export class Appender implements Disposable {
  readonly #options: AppenderOptions;
  /** The topics that something was appended to: a later refusal of one may pass. */
  readonly #appended = new Set<string>();
  #isClosed = false;
  #current: { readonly producer: Promise<Producer>; readonly connections: Connections } | null = null;

  constructor(options: AppenderOptions) {
    this.#options = options;
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
    const partitions = records.map(({ topic, key }) => partitionOf(key, counts.get(topic) ?? 1));
    const messages = records.map((record, index) => toMessage(record, partitions[index] ?? 0));
    const topics = [...new Set(records.map(({ topic }) => topic))];
    const batches = Map.groupBy(messages.keys(), (index) => `${records[index]?.topic}/${partitions[index]}`);
    const { patienceMs } = this.#options;
    const attempts = { until: this.#options.clock.monotonic() + patienceMs, isOver: false };
    try {
      const answers = await within(patienceMs, 'appending', async () => {
        const producer = await this.#connected(attempts);
        const sent = [...batches.values()].map((indexes) =>
          producer.sendBatch({
            acks: ALL_REPLICAS,
            topicMessages: [
              {
                topic: records[indexes[0] ?? 0]?.topic ?? '',
                messages: indexes.flatMap((index) => messages[index] ?? []),
              },
            ],
          }),
        );
        return (await Promise.all(sent)).flat();
      });
      for (const topic of topics) this.#appended.add(topic);
      return placesOf(records, partitions, answers);
    } catch (thrown) {
      // Nothing may be sent any more by then: it counts as not appended.
      attempts.isOver = true;
      this.#drop();
      const isNewTopic = isTopicRefusal(thrown) && topics.some((topic) => !this.#appended.has(topic));
      throw translateKafka('appending', thrown, this.#appended.size > 0 && !isNewTopic);
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#drop();
  }

  /** Tries to connect until `until`, on the monotonic clock, or until it is over; attempts are paced. */
  async #connected(attempts: { readonly until: number; readonly isOver: boolean }): Promise<Producer> {
    for (;;) {
      const producer = this.#producer();
      try {
        return await producer;
      } catch (thrown) {
        // The append after one that was given up has a producer of its own by now.
        if (this.#current?.producer === producer) this.#drop();
        const failure = translateKafka('appending', thrown, this.#appended.size > 0);
        const isOver = attempts.isOver || this.#options.clock.monotonic() >= attempts.until;
        if (isOver || this.#isClosed || !(failure instanceof RetryableError)) throw failure;
      }
    }
  }

  #drop(): void {
    this.#current?.connections.close();
    this.#current = null;
  }

  #producer(): Promise<Producer> {
    if (this.#current) return this.#current.producer;
    const { connection, open = openConnections } = this.#options;
    const connections = open(connection);
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
    const connected = this.#options.backoff.attempt(async () => {
      await producer.connect();
      return producer;
    });
    this.#current = { producer: connected, connections };
    return connected;
  }
}

/** Partitions that are added count from then on. */
const METADATA_MS = 30_000;
