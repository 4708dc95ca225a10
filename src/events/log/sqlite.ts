import { setImmediate as nextTurn } from 'node:timers/promises';

import { type Clock, systemClock } from '../../platform/clock.ts';
import { type Arrivals, createArrivals } from '../../platform/arrivals.ts';
import type { Logger } from '../../platform/logger.ts';
import { retryWhileBusy } from '../../platform/sqlite-transactions.ts';
import type { Access } from '../../platform/sqlite-opening.ts';
import { together } from '../../platform/together.ts';
import { translateSqlite } from '../../platform/sqlite-errors.ts';
import { noticesOf, type WriteNotices } from '../../platform/write-notices.ts';
import { checkTruncation, chunksOf, logIsClosed, recordsAreGone } from './adapter-rules.ts';
import { Subscriptions } from './subscriptions.ts';
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
import { type LogFile, openLogFile } from './sqlite/file.ts';
import type { Partition, RecordRange } from './sqlite/partitions.ts';
import { type AskedLease, type Leases, leasesIn } from './sqlite/lease.ts';
import { newMember } from './sqlite/member.ts';
import { type Empty, SqliteSubscription } from './sqlite/subscription.ts';

export interface SqliteLogOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  readonly clock?: Clock;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  /** How long a member that has fallen silent keeps its partitions, in milliseconds; renewed five times in it. */
  readonly leaseMs?: number;
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

/** How long one attempt to write may block the thread, in milliseconds. */
const BUSY_MS = 5;
/** Records in one transaction of `truncate`, and in one batch of `read`. */
const CHUNK = 1000;
/** An append's transaction ends before its records pass this many bytes. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const HOUR_MS = 3_600_000;

class SqliteLog implements Log {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'info' | 'warn'> | undefined;
  readonly #leaseMs: number;
  readonly #patienceMs: number;
  readonly #file: LogFile;
  readonly #notices: WriteNotices;
  readonly #arrivals: Arrivals;
  readonly #leases: Leases;
  /** Groups of one process renew their leases at the same moments: in one transaction. */
  readonly #takeLease: (asked: AskedLease) => Promise<boolean>;
  readonly #subscriptions = new Subscriptions();
  #closing: Promise<void> | undefined;
  #closed = false;
  #nextExpiry = Number.NEGATIVE_INFINITY;

  constructor(path: string, options: SqliteLogOptions) {
    const { clock = systemClock, logger, leaseMs = 5000, pollMs = 25, patienceMs = 10_000 } = options;
    this.#path = path;
    this.#clock = clock;
    this.#logger = logger;
    this.#leaseMs = leaseMs;
    this.#patienceMs = patienceMs;
    this.#file = openLogFile(path, BUSY_MS, options.access);
    this.#notices = noticesOf(`${this.#file.database.location()}-wal`);
    const dataVersion = (): number => this.#file.dataVersion();
    this.#arrivals = createArrivals({ dataVersion, clock, pollMs, notices: this.#notices });
    this.#leases = leasesIn(this.#file.database);
    this.#takeLease = together((asked) => this.#run(() => this.#takeLeases(asked), leaseMs));
  }

  generation(): number {
    return this.#arrivals.look();
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const missing = await this.#run(() =>
      topics.filter(({ name }) => this.#file.partitions(name).length === 0),
    );
    if (missing.length > 0) {
      await this.#run(() => this.#file.createTopics(missing));
      this.#arrivals.wake();
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
      places.push(...(await this.#run(() => this.#append(chunk))));
      this.#arrivals.wake();
    }
    return places;
  }

  #append(records: readonly NewRecord[]): readonly Place[] {
    const places = this.#file.append(records, this.#clock.now());
    if (places.length > 0) this.#notices.written();
    return places;
  }

  async ends(topic: string): Promise<readonly PartitionEnds[]> {
    const partitions = await this.#run(() => this.#file.partitions(topic));
    return partitions.map(({ partition, earliest, latest }) => ({ partition, earliest, latest }));
  }

  /** Also right where a clock was set back: timestamps never fall here. */
  async endOfTime(topic: string, partition: number, time: number): Promise<Position> {
    const found = (await this.#run(() => this.#file.partitions(topic)))[partition];
    return found ? this.#run(() => this.#file.endOfTime(found, time)) : 0;
  }

  async *read({ topic, partition, from, to, signal }: ReadRange): AsyncGenerator<Batch, void, undefined> {
    for (let position = from; position < to;) {
      const range = { topic, partition, from: position, to, maxRecords: CHUNK };
      const batch = await this.#next(range, Infinity, signal ? [signal] : []);
      if (signal?.aborted) return;
      if (batch.from !== position) throw recordsAreGone(topic, partition, position, batch.from);
      yield batch;
      position = batch.next;
    }
  }

  async subscribe(
    group: string,
    topics: readonly string[],
    handlers: SubscriptionHandlers,
  ): Promise<AsyncDisposable> {
    const asked: AskedLease = { group, member: newMember() };
    const leaseMs = this.#leaseMs;
    const subscription = new SqliteSubscription({
      group,
      topics,
      handlers,
      clock: this.#clock,
      logger: this.#logger,
      renewMs: leaseMs / 5,
      takeLease: () => this.#takeLease(asked),
      releaseLease: () => this.#run(() => this.#leases.release(asked), leaseMs),
      written: () => this.generation(),
      partitionCount: (topic) => this.partitionCount(topic),
      fetch: (place, from, { maxRecords, maxWaitMs, signal }, taken, empty) =>
        this.#next(
          { ...place, from, to: Infinity, maxRecords },
          maxWaitMs,
          signal ? [taken, signal] : [taken],
          empty,
        ),
      whileHeld: () => this.#expire(),
    });
    return this.#subscriptions.start(subscription);
  }

  #takeLeases(asked: readonly AskedLease[]): readonly boolean[] {
    const taken = this.#leases.take(asked, this.#clock.now(), this.#leaseMs);
    if (taken.includes(true)) this.#notices.written();
    return taken;
  }

  async truncate(topic: string, partition: number, before: Position): Promise<void> {
    const partitions = await this.#run(() => this.#file.partitions(topic));
    checkTruncation(topic, partition, before, partitions);
    await this.#forget(partitions[partition] as Partition, before);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#subscriptions[Symbol.asyncDispose]();
    this.#closed = true;
    this.#notices[Symbol.dispose]();
    this.#file.database.close();
    // What waits in `read` finds the log closed.
    this.#arrivals.wake();
  }

  /** The next batch of a range: what is there, or what arrives within `waitMs`. Empty where a signal is aborted. */
  async #next(
    range: RecordRange,
    waitMs: number,
    signals: readonly AbortSignal[],
    empty: Empty = { from: null, generation: 0 },
  ): Promise<Batch> {
    // SQLite answers without a pause: a reader with a backlog would keep the thread from timers and signals.
    await nextTurn();
    const nothing = { from: range.from, next: range.from, records: [] };
    for (let left = waitMs; ;) {
      if (signals.some((signal) => signal.aborted)) return nothing;
      const { generation } = this.#arrivals;
      // Nothing was there, and nothing has been written since.
      if (empty.from !== range.from || empty.generation !== generation) {
        const batch = await this.#run(() => this.#file.read(range));
        if (batch.from !== range.from || batch.next > batch.from) return batch;
        Object.assign(empty, { from: range.from, generation });
      }
      if (left <= 0) return nothing;
      left = await this.#arrivals.wait(generation, left, signals);
    }
  }

  /** Applies the topics' retention, at most once an hour. */
  async #expire(): Promise<void> {
    if (this.#clock.monotonic() < this.#nextExpiry) return;
    this.#nextExpiry = this.#clock.monotonic() + HOUR_MS;
    const now = this.#clock.now();
    for (const { name, retentionMs } of await this.#run(() => this.#file.retained())) {
      const count = await this.partitionCount(name);
      for (let partition = 0; partition < count; partition += 1) {
        while (await this.#expireSome(name, partition, now - retentionMs)) await nextTurn();
      }
    }
  }

  /** Forgets at most a chunk of the records older than `before`; false where there was none. */
  async #expireSome(topic: string, partition: number, before: number): Promise<boolean> {
    const found = (await this.#run(() => this.#file.partitions(topic)))[partition];
    if (!found) return false;
    const kept = await this.#run(() => this.#file.firstKept(found, before, CHUNK));
    if (kept === found.earliest) return false;
    await this.#forget(found, kept);
    return true;
  }

  async #forget(partition: Partition, before: Position): Promise<void> {
    await this.#run(() => this.#file.raiseEarliest(partition, before));
    this.#arrivals.wake();
    while ((await this.#run(() => this.#file.deleteUnreachable(partition, CHUNK))) === CHUNK)
      await nextTurn();
  }

  /** One call of the file: tried again while another process writes, its errors translated. */
  async #run<T>(work: () => T, patienceMs = this.#patienceMs): Promise<T> {
    const whileOpen = (): T => {
      if (this.#closed) throw logIsClosed();
      return work();
    };
    try {
      return await retryWhileBusy(whileOpen, { clock: this.#clock, patienceMs });
    } catch (thrown) {
      throw translateSqlite(this.#path, thrown);
    }
  }
}
