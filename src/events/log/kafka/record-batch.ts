import type { Position } from '../port.ts';

/**
 * What the bytes of a partition are: its batches, with nothing unpacked yet. The layout is that of the Kafka protocol's
 * "Record Batch", version 2 (magic 2, KIP-98, since 0.11), signed with CRC-32C.
 *
 * The decoder of kafkajs is not used: it says nothing of a batch without records, which compaction leaves behind, so that
 * its reader stands before such a batch for ever; and it checks no checksum.
 */
export interface Scan {
  /** Whole, undamaged, one behind the other, with nothing that ends below the position that was asked for. */
  readonly batches: readonly RecordBatch[];
  /** What stands behind them and is none of that kind; null where there is nothing. */
  readonly fault: Fault | null;
}

export interface RecordBatch {
  readonly kind: 'batch';
  readonly baseOffset: Position;
  readonly lastOffset: Position;
  readonly codec: number;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  /** The time of the append, where the topic keeps that one; else null, and each record has its own. */
  readonly appendTime: number | null;
  readonly baseTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: bigint;
  readonly count: number;
  readonly body: Buffer;
  /** All of it. */
  readonly bytes: Buffer;
}

/** What cannot be read at the position after the last record before it, or at the one that was asked for. */
export interface Fault {
  /** On one line. */
  readonly reason: string;
  /** From where it begins to the end of the answer; empty where the broker gives nothing out. */
  readonly bytes: Buffer;
  /** Where an undamaged batch begins behind it; null where none is to be seen. */
  readonly to: Position | null;
}
