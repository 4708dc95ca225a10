import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { Batch, NewRecord, Place, Position, TopicSpec } from '../port.ts';

export interface Partition {
  readonly id: number;
  readonly partition: number;
  readonly earliest: Position;
  readonly latest: Position;
  /** The timestamp of the newest record: timestamps never fall, even where the machine's clock does. */
  readonly newest: number;
}

export interface RecordRange {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  /** Not included. */
  readonly to: Position;
  readonly maxRecords: number;
}

export interface LogFile {
  readonly database: DatabaseSync;
  /** The partitions of a topic, by number; empty where the topic does not exist. */
  partitions(topic: string): readonly Partition[];
  createTopics(specs: readonly TopicSpec[]): void;
  /** All of the records, or none. @throws {PermanentError} where a topic does not exist. */
  append(records: readonly NewRecord[], now: number): readonly Place[];
  /** @throws {PermanentError} where the partition does not exist. */
  read(range: RecordRange): Batch;
  /** Raises a partition's earliest position; its records below it are out of reach from then on. */
  raiseEarliest(partition: Partition, before: Position): void;
  /** Deletes at most `limit` of the records that are out of reach, and says how many. */
  deleteUnreachable(partition: Partition, limit: number): number;
  /** How long a topic's records are kept; null for ever, undefined where it does not exist. */
  retention(topic: string): number | null | undefined;
  /** Topics whose records are not kept for ever. */
  retained(): readonly { readonly name: string; readonly retentionMs: number }[];
  /** The first position to keep, if records older than `before` are not; looks at the `limit` oldest records. */
  firstKept(partition: Partition, before: number, limit: number): Position;
  /** Differs from the last answer where another connection has committed something since. */
  dataVersion(): number;
}
