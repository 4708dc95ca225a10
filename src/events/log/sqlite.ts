import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Clock, systemClock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { lockFile } from '../../platform/files/folder-lock.ts';
import { SqliteConnection } from '../../platform/sqlite/connection.ts';
import type { Access } from '../../platform/sqlite/open-database.ts';
import { translateSqlite } from '../../platform/sqlite/errors.ts';
import { chunksOf, logIsClosed, recordsAreGone, Subscriptions } from './adapter-base.ts';
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
import { type LogFile, logFile, type Partition, readSchema, type RecordRange } from './sqlite/file.ts';
import { SqliteSubscription } from './sqlite/subscription.ts';
import { CommitWatch } from './sqlite/commit-watch.ts';

export interface SqliteLogOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  readonly clock?: Clock;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  /** How often members look for new partitions, and those that stand by at the lock of their group, in milliseconds. */
  readonly lookMs?: number;
  /** How often those who wait for records look for appends of other processes, in milliseconds. */
  readonly pollMs?: number;
  /** How long a call is tried again while another process writes, in milliseconds; then it is a `RetryableError`. */
  readonly patienceMs?: number;
}

/**
 * The log in one SQLite file, for any number of processes on one machine. What `append` has acknowledged survives a
 * power cut.
 * @throws {PermanentError} where the path cannot be used, the file is damaged, or a newer release made it.
 * @throws {RetryableError} where another process keeps the file locked.
 */
export function openSqliteLog(path: string, options: SqliteLogOptions = {}): Log {
  try {
    return new SqliteLog(path, options);
  } catch (thrown) {
    throw translateSqlite(path, thrown);
  }
}

/** Records that are deleted in one transaction, and in one batch of `read`. */
const CHUNK = 1000;
/** An append's transaction ends before its records pass this many bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const HOUR_MS = 3_600_000;

class SqliteLog implements Log {
  readonly #path: string;
  readonly #options: SqliteLogOptions & Required<Pick<SqliteLogOptions, 'clock' | 'lookMs' | 'patienceMs'>>;
  readonly #connection: SqliteConnection;
  readonly #file: LogFile;
  readonly #news: CommitWatch;
  readonly #subscriptions = new Subscriptions();
  #closing: Promise<void> | undefined;
  #closed = false;
  #nextExpiry = Number.NEGATIVE_INFINITY;

  constructor(path: string, options: SqliteLogOptions) {
    const { clock = systemClock, lookMs = 1000, pollMs = 100, patienceMs = 10_000 } = options;
    this.#path = path;
    this.#options = { ...options, clock, lookMs, patienceMs };
    this.#connection = new SqliteConnection(path, readSchema(), { ...this.#options, durability: 'full' });
    try {
      this.#file = logFile(this.#connection.database);
    } catch (thrown) {
      this.#connection.close();
      throw thrown;
    }
    this.#news = new CommitWatch(() => this.#file.dataVersion(), clock, pollMs);
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const missing = await this.#run(() =>
      topics.filter(({ name }) => this.#file.partitions(name).length === 0),
    );
    if (missing.length > 0) {
      await this.#run(() => this.#file.createTopics(missing));
      this.#news.tell();
    }
    await this.#expire();
  }

  async partitionCount(topic: string): Promise<number> {
    return this.#run(() => this.#file.partitions(topic).length);
  }

  async topicSettings(topic: string): Promise<TopicSettings | null> {
    const retentionMs = await this.#run(() => this.#file.retention(topic));
    if (retentionMs === undefined) return null;
    return { partitions: await this.partitionCount(topic), retentionMs, remarks: [] };
  }

  async append(records: readonly NewRecord[]): Promise<readonly Place[]> {
    const places: Place[] = [];
    for (const chunk of chunksOf(records, CHUNK_BYTES)) {
      // Long appends leave the thread to others between two transactions.
      if (places.length > 0) await nextTurn();
      places.push(...(await this.#run(() => this.#file.append(chunk, this.#options.clock.now()))));
      this.#news.tell();
    }
    return places;
  }

  async ends(topic: string): Promise<readonly PartitionEnds[]> {
    const partitions = await this.#run(() => this.#file.partitions(topic));
    return partitions.map(({ partition, earliest, latest }) => ({ partition, earliest, latest }));
  }

  async *read({ topic, partition, from, to, signal }: ReadRange): AsyncGenerator<Batch, void, undefined> {
    for (let position = from; position < to;) {
      const range = { topic, partition, from: position, to, maxRecords: CHUNK };
      const batch = await this.#next(range, Infinity, signal ? [signal] : []);
      if (signal?.aborted) return;
      if (batch.from !== position) throw recordsAreGone(`${topic}/${partition}`, position, batch.from);
      yield batch;
      position = batch.next;
    }
  }

  async subscribe(
    group: string,
    topics: readonly string[],
    handlers: SubscriptionHandlers,
  ): Promise<AsyncDisposable> {
    const subscription = new SqliteSubscription({
      ...this.#options,
      group,
      topics,
      handlers,
      takeLock: () => this.#run(() => lockFile(`${this.#path}.${group}.lock`)),
      partitionCount: (topic) => this.partitionCount(topic),
      fetch: (place, from, { maxRecords, maxWaitMs, signal }, taken) =>
        this.#next(
          { ...place, from, to: Infinity, maxRecords },
          maxWaitMs,
          signal ? [taken, signal] : [taken],
        ),
      whileHeld: () => this.#expire(),
    });
    return this.#subscriptions.start(subscription);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#subscriptions[Symbol.asyncDispose]();
    this.#closed = true;
    this.#connection.close();
    // What waits in `read` finds the log closed.
    this.#news.tell();
  }

  /** The next batch of a range: what is there, or what arrives within `waitMs`. Empty where a signal is aborted. */
  async #next(range: RecordRange, waitMs: number, signals: readonly AbortSignal[]): Promise<Batch> {
    // SQLite answers without a pause: a reader with a backlog would keep the thread from timers and signals.
    await nextTurn();
    const nothing = { from: range.from, next: range.from, records: [] };
    const { clock } = this.#options;
    const until = clock.monotonic() + waitMs;
    for (;;) {
      if (signals.some((signal) => signal.aborted)) return nothing;
      const { next: news } = this.#news;
      const batch = await this.#run(() => this.#file.read(range));
      if (batch.from !== range.from || batch.next > batch.from) return batch;
      const left = until - clock.monotonic();
      if (left <= 0 || (await this.#news.wait(left, [news, ...signals]))) return nothing;
    }
  }

  /** Applies the topics' retention, at most once an hour. */
  async #expire(): Promise<void> {
    const { clock } = this.#options;
    if (clock.monotonic() < this.#nextExpiry) return;
    this.#nextExpiry = clock.monotonic() + HOUR_MS;
    const now = clock.now();
    for (const { name, retentionMs } of await this.#run(() => this.#file.retained())) {
      for (const partition of await this.#run(() => this.#file.partitions(name))) {
        const kept = await this.#run(() => this.#file.firstKept(partition, now - retentionMs));
        if (kept > partition.earliest) await this.#forget(partition, kept);
      }
    }
  }

  async #forget(partition: Partition, before: Position): Promise<void> {
    await this.#run(() => this.#file.raiseEarliest(partition, before));
    this.#news.tell();
    while ((await this.#run(() => this.#file.deleteUnreachable(partition, CHUNK))) === CHUNK)
      await nextTurn();
  }

  /** One call of the file: tried again while another process writes, its errors translated. */
  async #run<T>(work: () => T): Promise<T> {
    if (this.#closed) throw logIsClosed();
    return await this.#connection.attempt(work);
  }
}
