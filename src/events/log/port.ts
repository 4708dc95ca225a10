/**
 * The log: records in topics, each topic in numbered partitions, each partition an ordered sequence of positions.
 * A record's partition follows from its key (`partitionOf`), so all records of one key stand in one partition, in the
 * order in which they were appended. Positions rise but may have holes.
 *
 * Adapters translate their vendor's errors once: `RetryableError` where a later attempt may succeed, else
 * `PermanentError`. Every method may throw either.
 */
export interface Log extends AsyncDisposable {
  /** Creates the topics that do not exist yet. Idempotent; an existing topic keeps its partitions and retention. */
  ensureTopics(topics: readonly TopicSpec[]): Promise<void>;

  /** How many partitions a topic has; partitions are numbered from 0. 0 where the topic does not exist. */
  partitionCount(topic: string): Promise<number>;

  /** What the log itself says of a topic, so that it can be held against the contract; null where it does not exist. */
  topicSettings(topic: string): Promise<TopicSettings | null>;

  /**
   * Appends records, in the order given within each partition, and resolves once all of them are durable.
   * Returns each one's place, in the order given. Not idempotent: after a `RetryableError` some may have been
   * appended (the read models absorb duplicates). Safe from several processes at once.
   * A topic that the log does not know is a `RetryableError` wherever the log may only not know of it yet: a broker
   * that has just started does not. That comes after some patience; how long it is tried then is the caller's to decide.
   */
  append(records: readonly NewRecord[]): Promise<readonly Place[]>;

  /**
   * The ends of every partition of a topic, read at the time of the call; empty where the log knows no such topic. What
   * is not known for the moment is a `RetryableError`, never a guess. A partition that was there and is missing is not
   * known at the moment: never take it for an empty one. What only a broken log would answer is read again
   * before anybody acts on it.
   */
  ends(topic: string): Promise<readonly PartitionEnds[]>;

  /**
   * Reads one partition from `from` up to, not including, `to`, without belonging to any group. Ends at `to`, or when
   * `signal` is aborted; waits for what cannot be read yet. The batches are contiguous: each one's `from` is the `next` of the one before it.
   * Throws `PermanentError` where `from` is below the partition's earliest position.
   */
  read(range: ReadRange): AsyncIterable<Batch>;

  /**
   * Joins a group whose members share the partitions of the topics: each partition is assigned to at most one live
   * member, as far as the log can know. `assigned` is called once for each partition gained, `revoked` once for each
   * one lost, before it is given to another member where the log allows that; a process that has died is noticed within
   * seconds. Assignment is an economy, never a lock: two members may hold a partition for a moment.
   * Disposing the subscription calls `revoked` for everything held and gives it up at once.
   */
  subscribe(
    group: string,
    topics: readonly string[],
    handlers: SubscriptionHandlers,
  ): Promise<AsyncDisposable>;
}

/** A place in a partition: an integer >= 0. */
export type Position = number;

export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** How long records are kept, in milliseconds; null for ever. */
  readonly retentionMs: number | null;
}

export interface TopicSettings extends Omit<TopicSpec, 'name'> {
  /** What is set in a way that this log should not be used with, one line each; empty where all is well. */
  readonly remarks: readonly string[];
  /** How many copies there are; absent where the log has none to tell of. */
  readonly durability?: TopicDurability;
}

export interface TopicDurability {
  /** Of the partition that has the fewest. */
  readonly replicas: number;
  /** How many have to be in step for an append; null where the log does not tell. */
  readonly minInSync: number | null;
}

export interface NewRecord {
  readonly topic: string;
  readonly key: string | null;
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PartitionId {
  readonly topic: string;
  readonly partition: number;
}

export interface Place extends PartitionId {
  readonly position: Position;
}

export interface LogRecord extends NewRecord, Place {
  /** When the record was appended, by the log's clock: Unix milliseconds. */
  readonly timestamp: number;
}

export interface PartitionEnds {
  readonly partition: number;
  /** The position of the oldest record kept (equal to `latest` where there is none). */
  readonly earliest: Position;
  /** The position that the next record will get. */
  readonly latest: Position;
  /**
   * Where reading ends for the time being, below `latest`: what stands from there on waits for a transaction that is
   * open. Absent where everything can be read.
   */
  readonly readable?: Position;
}

export interface Batch {
  /** Where fetching really started. A reader that expected another position must not use the batch. */
  readonly from: Position;
  /** Where the next batch starts: after the last record, or after a hole. Equal to `from` where nothing came. */
  readonly next: Position;
  readonly records: readonly LogRecord[];
  /** What stands between `from` and `next` and cannot be read, in order; absent where there is nothing of the kind. */
  readonly unreadable?: readonly UnreadableRange[];
  /**
   * Whether more could be read behind it when it was read; absent where the log does not tell: as many records as were
   * asked for say so then.
   */
  readonly more?: boolean;
}

/**
 * Positions whose records no repetition would bring: damaged beyond repair, or larger than anything that is read. They
 * were tried again as often as that makes sense; reading goes on behind them.
 */
export interface UnreadableRange extends PositionRange {
  /** `too_large` is one record that was recognised as such. */
  readonly code: 'unreadable' | 'too_large';
  /** For people, on one line. */
  readonly reason: string;
  /** What stands there, as the log holds it: the beginning alone where it is long; null where that is not known. */
  readonly bytes: Uint8Array | null;
  /** When it was appended, Unix milliseconds; 0 where that is not known. */
  readonly timestamp: number;
}

/** Positions of one partition. */
export interface PositionRange extends PartitionId {
  readonly from: Position;
  /** The position after the last one. */
  readonly to: Position;
}

export interface ReadRange extends PositionRange {
  readonly signal?: AbortSignal;
}

export interface SubscriptionHandlers {
  assigned(assignment: Assignment): void;
  revoked(assignment: Assignment): void;
}

/** A partition in the hands of this member. */
export interface Assignment extends PartitionId {
  /** Aborted when the partition has been taken away; reads then resolve with an empty batch. */
  readonly signal: AbortSignal;
  /**
   * The next records from `from`: at most `maxRecords`, waiting up to `maxWaitMs` for the first one.
   * At most one fetch at a time.
   */
  fetch(from: Position, limits: FetchLimits): Promise<Batch>;
  /**
   * Asks the group whether the partition is still this member's, and waits for an answer to a question that was put
   * after the call: a heartbeat, a lock. Where it resolves with false, the assignment's signal is aborted, or `waiting`
   * was before an answer came.
   */
  confirm(waiting: AbortSignal): Promise<boolean>;
}

export interface FetchLimits {
  readonly maxRecords: number;
  readonly maxWaitMs: number;
  /** Ends the wait early: the fetch then resolves with an empty batch. */
  readonly signal?: AbortSignal;
}
