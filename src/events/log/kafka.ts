import { type Clock, systemClock } from '../../platform/time/clock.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { chunksOf, logIsClosed, recordsAreGone, Subscriptions } from './adapter-base.ts';
import type { KafkaAddress } from './kafka/address.ts';
import { Appender } from './kafka/appender.ts';
import { connectClient, type KafkaClient, type PartitionLeader } from './kafka/cluster-client.ts';
import type { KafkaConnectionOptions } from './kafka/kafkajs-client.ts';
import { Fetcher } from './kafka/fetch-from-leaders.ts';
import { ReconnectingClient } from './kafka/reconnecting-client.ts';
import { createBackoff } from './kafka/connect-backoff.ts';
import { recordsBelow } from './kafka/fetch-buffer.ts';
import { KafkaSubscription } from './kafka/subscription.ts';
import { createTopics, readSettings } from './kafka/topics.ts';
import type {
  Batch,
  Log,
  NewRecord,
  PartitionEnds,
  Place,
  ReadRange,
  SubscriptionHandlers,
  TopicSettings,
  TopicSpec,
} from './port.ts';

export interface KafkaLogOptions {
  readonly clock?: Clock;
  readonly logger?: Pick<Logger, 'warn' | 'debug'>;
  /** How long a group keeps a member that has fallen silent, in milliseconds. */
  readonly sessionMs?: number;
  readonly heartbeatMs?: number;
  /** How often the leader of a group looks for new topics and partitions, in milliseconds. */
  readonly lookMs?: number;
  /**
   * How long a chunk of an append is tried, in milliseconds; then it is a `RetryableError`. A cluster misses a broker
   * that died only when its session is over (`broker.session.timeout.ms`, 9 s unless set), and elects leaders then.
   */
  readonly patienceMs?: number;
  /** How long any other request may take, in milliseconds. */
  readonly requestMs?: number;
  readonly socket?: KafkaConnectionOptions['socket'];
  /** Connects in the place of kafkajs. */
  readonly connect?: (options: KafkaConnectionOptions) => Promise<KafkaClient>;
}

/**
 * The log in Kafka, 2.3 or newer. Nothing is connected before the first call. What `append` has acknowledged is with
 * every replica that is in step.
 * @throws {PermanentError} where a certificate cannot be read.
 */
export function openKafkaLog(address: KafkaAddress, options: KafkaLogOptions = {}): Log {
  return new KafkaLog(address, options);
}

/** How long an append waits at most for a topic that no broker knows, in milliseconds. */
const UNKNOWN_FOR_MS = 10_000;
/** A chunk of an append ends before its records pass this: a broker takes a batch of a mebibyte. */
const CHUNK_BYTES = 900 * 1024;
/** The pause before brokers are asked again for a topic that they do not know, or that has no leaders yet. */
const UNKNOWN_MS = 50;

class KafkaLog implements Log {
  readonly #options: Required<Omit<KafkaLogOptions, 'logger' | 'socket' | 'connect'>>;
  readonly #logger: KafkaLogOptions['logger'];
  readonly #connection: KafkaConnectionOptions;
  readonly #newClient: () => ReconnectingClient;
  /** For what is asked and answered: ends, partitions. What waits for records has clients of its own. */
  readonly #client: ReconnectingClient;
  readonly #reader: Fetcher;
  readonly #appender: Appender;
  readonly #subscriptions = new Subscriptions();
  readonly #closing = new AbortController();
  #appending: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(address: KafkaAddress, options: KafkaLogOptions) {
    const { clock = systemClock, logger, sessionMs = 15_000, heartbeatMs = 1000, lookMs = 5000 } = options;
    const { patienceMs = 30_000, requestMs = 10_000, connect = connectClient } = options;
    this.#options = { clock, sessionMs, heartbeatMs, lookMs, patienceMs, requestMs };
    this.#logger = logger;
    this.#connection = { address, logger, requestMs, socket: options.socket };
    const backoff = createBackoff(clock);
    this.#newClient = () =>
      new ReconnectingClient({ connect: () => connect(this.#connection), backoff, clock });
    this.#client = this.#newClient();
    this.#reader = this.#newFetcher();
    this.#appender = new Appender({ connection: this.#connection, backoff, clock, patienceMs });
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const missing: TopicSpec[] = [];
    for (const topic of topics) if ((await this.partitionCount(topic.name)) === 0) missing.push(topic);
    if (missing.length === 0) return;
    await createTopics(this.#connection, missing);
    const { patienceMs } = this.#options;
    for (const { name } of missing) {
      const areLed = (found: readonly PartitionLeader[]): boolean =>
        found.length > 0 && found.every(({ leader }) => leader !== null);
      const otherwise = `Kafka, creating topics: ${name} has no leaders after ${patienceMs} ms.`;
      await this.#countOnce(name, areLed, patienceMs, otherwise);
    }
  }

  async partitionCount(topic: string): Promise<number> {
    return (await this.#partitionsOf(topic)).length;
  }

  async topicSettings(topic: string): Promise<TopicSettings | null> {
    const partitions = await this.partitionCount(topic);
    return partitions === 0 ? null : readSettings(this.#connection, topic, partitions);
  }

  async append(records: readonly NewRecord[]): Promise<readonly Place[]> {
    this.#refuseClosed();
    const counts = new Map<string, number>();
    const patienceMs = Math.min(this.#options.patienceMs, UNKNOWN_FOR_MS);
    for (const topic of new Set(records.map((record) => record.topic))) {
      const otherwise = `Kafka, appending: no broker knew the topic ${topic} for ${patienceMs} ms. Create it first: ${commandLine('doctor topics --create')}`;
      counts.set(topic, await this.#countOnce(topic, (found) => found.length > 0, patienceMs, otherwise));
    }
    const places: Place[] = [];
    for (const chunk of chunksOf(records, CHUNK_BYTES)) {
      // One after the other: what is asked for first stands first.
      const appended = this.#appending.then(() => this.#appender.append(chunk, counts));
      this.#appending = appended.catch(() => undefined);
      places.push(...(await appended));
    }
    return places;
  }

  ends(topic: string): Promise<readonly PartitionEnds[]> {
    return this.#ask('reading the ends of a topic', topic, (client) => client.ends(topic));
  }

  async *read({ topic, partition, from, to, signal }: ReadRange): AsyncGenerator<Batch, void, undefined> {
    this.#refuseClosed();
    if (from >= to) return;
    const over = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    if (!(await this.ends(topic)).some((end) => end.partition === partition))
      throw new PermanentError(`The log has no partition ${partition} of ${topic}. Create it first.`);
    try {
      for (let position = from; position < to && !over.aborted;) {
        const found = await this.#reader.fetch({ topic, partition, from: position }, over);
        if (found.kind === 'elsewhere') {
          if (position < found.earliest)
            throw recordsAreGone(`${topic}/${partition}`, position, found.earliest);
          throw new PermanentError(
            `${topic}/${partition} ends at ${found.latest}, before ${position}: it was made again.`,
          );
        }
        const { records } = found;
        while (position < to && !records.isOver && !over.aborted) {
          yield recordsBelow(records.take(), to);
          position = records.next;
        }
      }
    } catch (thrown) {
      if (!over.aborted) throw thrown;
    }
    if (!signal?.aborted) this.#refuseClosed();
  }

  async subscribe(
    group: string,
    topics: readonly string[],
    handlers: SubscriptionHandlers,
  ): Promise<AsyncDisposable> {
    this.#refuseClosed();
    const subscription = new KafkaSubscription({
      ...this.#options,
      group,
      topics,
      handlers,
      logger: this.#logger,
      groupClient: this.#newClient(),
      fetcher: this.#newFetcher(),
    });
    return this.#subscriptions.start(subscription);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#subscriptions[Symbol.asyncDispose]();
    this.#closing.abort();
    this.#reader[Symbol.dispose]();
    this.#appender[Symbol.dispose]();
    this.#client[Symbol.dispose]();
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw logIsClosed();
  }

  /** One for each group: a request that waits for records holds up what others want of the same partitions. */
  #newFetcher(): Fetcher {
    const { clock, requestMs } = this.#options;
    return new Fetcher({ client: this.#newClient(), clock, requestMs, logger: this.#logger });
  }

  #partitionsOf(topic: string): Promise<readonly PartitionLeader[]> {
    return this.#ask('looking for a topic', topic, (client) => client.partitions(topic));
  }

  async #ask<T>(what: string, topic: string, work: (client: KafkaClient) => Promise<T>): Promise<T> {
    this.#refuseClosed();
    return this.#client.use(what, this.#options.requestMs, work, [topic]);
  }

  /** Brokers learn of a topic that was just made, and of its leaders, one after the other. */
  async #countOnce(
    topic: string,
    areThere: (partitions: readonly PartitionLeader[]) => boolean,
    patienceMs: number,
    otherwise: string,
  ): Promise<number> {
    const { clock } = this.#options;
    for (const until = clock.monotonic() + patienceMs; ;) {
      const found = await this.#partitionsOf(topic);
      if (areThere(found)) return found.length;
      if (clock.monotonic() >= until) throw new RetryableError(otherwise);
      await clock.sleep(UNKNOWN_MS, this.#closing.signal);
    }
  }
}
