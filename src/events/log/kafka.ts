import { commandLine } from '../../platform/command-line.ts';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { type Clock, systemClock } from '../../platform/clock.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { KafkaAddress } from './kafka/address.ts';
import { Appender } from './kafka/appender.ts';
import { chunksOf } from './kafka/chunks.ts';
import { connectClient, type KafkaClient } from './kafka/client.ts';
import type { ConnectionOptionsOfOurs } from './kafka/connections.ts';
import { Fetcher } from './kafka/fetcher.ts';
import { ReconnectingClient } from './kafka/reconnecting-client.ts';
import { createBackoff } from './kafka/backoff.ts';
import type { Slice } from './kafka/slices.ts';
import { PartitionStream } from './kafka/stream.ts';
import { KafkaSubscription } from './kafka/subscription.ts';
import { createTopicAdmin, type TopicAdmin } from './kafka/topics.ts';
import type {
  Batch,
  Log,
  NewRecord,
  PartitionEnds,
  Place,
  Position,
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
  /** How long a fetch may bring nothing while the log has something, before its client is replaced, in milliseconds. */
  readonly stallMs?: number;
  /** Opens connections in the place of `net.connect`. */
  readonly socket?: (place: { readonly host: string; readonly port: number }) => Socket;
  /** Connects in the place of kafkajs. */
  readonly connect?: (options: ConnectionOptionsOfOurs) => Promise<KafkaClient>;
}

/**
 * The log in Kafka, 2.3 or newer. Nothing is connected before the first call. What `append` has acknowledged is with
 * every replica that is in step.
 * @throws {PermanentError} where a certificate cannot be read.
 */
export function openKafkaLog(address: KafkaAddress, options: KafkaLogOptions = {}): Log {
  return new KafkaLog(address, options);
}

/** How long a broker waits for records: also the longest that a position waits to be asked for. */
const WAIT_MS = 250;
/** Partitions that are added are appended to from then on. */
const COUNT_MS = 30_000;
/** How long an append waits at most for a topic that no broker knows, in milliseconds. */
const UNKNOWN_FOR_MS = 10_000;
/** The pause before brokers are asked again for a topic that they do not know. */
const UNKNOWN_MS = 200;

class KafkaLog implements Log {
  readonly #options: Required<Omit<KafkaLogOptions, 'logger' | 'socket' | 'connect'>>;
  readonly #logger: KafkaLogOptions['logger'];
  readonly #connection: ConnectionOptionsOfOurs;
  readonly #newClient: () => ReconnectingClient;
  /** For what is asked and answered: ends, partitions. Long reads have a link of their own. */
  readonly #link: ReconnectingClient;
  readonly #reader: Fetcher;
  readonly #appender: Appender;
  readonly #admin: TopicAdmin;
  readonly #counts = new Map<string, { readonly count: number; readonly until: number }>();
  readonly #subscriptions = new Set<KafkaSubscription>();
  readonly #closing = new AbortController();
  #appending: Promise<unknown> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(address: KafkaAddress, options: KafkaLogOptions) {
    const { clock = systemClock, logger, sessionMs = 15_000, heartbeatMs = 1000, lookMs = 5000 } = options;
    const { patienceMs = 30_000, requestMs = 10_000, stallMs = 10_000, connect = connectClient } = options;
    this.#options = { clock, sessionMs, heartbeatMs, lookMs, patienceMs, requestMs, stallMs };
    this.#logger = logger;
    this.#connection = { address, logger, requestMs, socket: options.socket };
    const backoff = createBackoff(clock);
    this.#newClient = () =>
      new ReconnectingClient({ connect: () => connect(this.#connection), backoff, clock });
    this.#link = this.#newClient();
    this.#reader = this.#newFetcher();
    this.#appender = new Appender({ connection: this.#connection, backoff, clock, patienceMs });
    this.#admin = createTopicAdmin(this.#connection);
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const missing: TopicSpec[] = [];
    for (const topic of topics) if ((await this.partitionCount(topic.name)) === 0) missing.push(topic);
    if (missing.length === 0) return;
    await this.#admin.create(missing);
    // Brokers learn of a topic one after the other.
    for (const { name } of missing) {
      while (!this.#closing.signal.aborted && (await this.partitionCount(name)) === 0) await delay(20);
    }
  }

  async partitionCount(topic: string): Promise<number> {
    const found = await this.#ask('looking for a topic', (client) => client.partitions(topic));
    return found.length;
  }

  async topicSettings(topic: string): Promise<TopicSettings | null> {
    const partitions = await this.partitionCount(topic);
    return partitions === 0 ? null : this.#admin.settings(topic, partitions);
  }

  async append(records: readonly NewRecord[]): Promise<readonly Place[]> {
    this.#refuseClosed();
    const counts = new Map<string, number>();
    for (const { topic } of records) {
      if (!counts.has(topic)) counts.set(topic, await this.#count(topic));
    }
    const places: Place[] = [];
    for (const chunk of chunksOf(records)) places.push(...(await this.#appendChunk(chunk, counts)));
    return places;
  }

  async ends(topic: string): Promise<readonly PartitionEnds[]> {
    return this.#ask('reading the ends of a topic', (client) => client.ends(topic));
  }

  async *read({ topic, partition, from, to, signal }: ReadRange): AsyncGenerator<Batch, void, undefined> {
    this.#refuseClosed();
    const signals = signal ? [this.#closing.signal, signal] : [this.#closing.signal];
    const over = AbortSignal.any(signals);
    if (from >= to) return;
    const ends = (await this.ends(topic)).find((end) => end.partition === partition);
    if (!ends)
      throw new PermanentError(`The log has no partition ${partition} of ${topic}. Create it first.`);
    const stream = new PartitionStream();
    try {
      for (let position = from; position < to;) {
        const slice = await this.#sliceUnless(over, stream, topic, partition, position);
        if (slice === null) break;
        const next = Math.min(slice.next, to);
        const records = slice.records.filter((record) => record.position < to);
        const unreadable = slice.unreadable
          .filter((range) => range.from < to)
          .map((range) => (range.to > to ? { ...range, to } : range));
        yield { from: position, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
        position = next;
      }
    } finally {
      stream.close();
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
      ends: (topic) => this.ends(topic),
    });
    const leave = async (): Promise<void> => {
      this.#subscriptions.delete(subscription);
      await subscription[Symbol.asyncDispose]();
    };
    this.#subscriptions.add(subscription);
    try {
      await subscription.start();
    } catch (thrown) {
      await leave();
      throw thrown;
    }
    return { [Symbol.asyncDispose]: leave };
  }

  async truncate(topic: string, partition: number, before: Position): Promise<void> {
    const found = (await this.ends(topic)).find((end) => end.partition === partition);
    if (!found || before > found.latest) {
      throw new PermanentError(
        `${topic}/${partition} cannot begin at ${before}: it does not reach that far.`,
      );
    }
    if (before > found.earliest) await this.#admin.truncate(topic, partition, before);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription[Symbol.asyncDispose]()));
    this.#closing.abort();
    this.#reader[Symbol.dispose]();
    this.#appender[Symbol.dispose]();
    this.#link[Symbol.dispose]();
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw new PermanentError('The log is closed.');
  }

  #newFetcher(): Fetcher {
    const { clock, requestMs } = this.#options;
    return new Fetcher({ link: this.#newClient(), clock, waitMs: WAIT_MS, requestMs, logger: this.#logger });
  }

  async #ask<T>(what: string, work: (client: KafkaClient) => Promise<T>): Promise<T> {
    this.#refuseClosed();
    return this.#link.use(what, this.#options.requestMs, work);
  }

  /** Waits for a topic that no broker knows: it may have been made a moment ago. */
  async #count(topic: string): Promise<number> {
    const { clock } = this.#options;
    const patienceMs = Math.min(this.#options.patienceMs, UNKNOWN_FOR_MS);
    const known = this.#counts.get(topic);
    if (known && clock.monotonic() < known.until) return known.count;
    for (const until = clock.monotonic() + patienceMs; ;) {
      const count = await this.partitionCount(topic);
      if (count > 0) {
        this.#counts.set(topic, { count, until: clock.monotonic() + COUNT_MS });
        return count;
      }
      this.#refuseClosed();
      if (clock.monotonic() >= until)
        throw new RetryableError(
          `Kafka, appending: no broker knew the topic ${topic} for ${patienceMs} ms. Create it first: ${commandLine('topics create')}`,
        );
      await clock.sleep(UNKNOWN_MS, this.#closing.signal);
    }
  }

  /** One after the other: what is asked for first stands first. */
  #appendChunk(chunk: readonly NewRecord[], counts: ReadonlyMap<string, number>): Promise<readonly Place[]> {
    const appended = this.#appending.then(() => this.#appender.append(chunk, counts));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  /** null where the signal is aborted. */
  async #sliceUnless(
    over: AbortSignal,
    stream: PartitionStream,
    topic: string,
    partition: number,
    position: Position,
  ): Promise<Slice | null> {
    try {
      if (over.aborted) return null;
      const slice = await stream.next(position, over, () =>
        this.#reader.fetch(topic, partition, position, over),
      );
      if (!('kind' in slice)) return slice;
      throw new PermanentError(
        position < slice.earliest
          ? `${topic}/${partition} begins at ${slice.earliest}: the records from ${position} are gone.`
          : `${topic}/${partition} ends at ${slice.latest}, before ${position}: it was made anew.`,
      );
    } catch (thrown) {
      if (over.aborted) return null;
      throw thrown;
    }
  }
}
