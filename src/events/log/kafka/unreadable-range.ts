import type { Position, UnreadableRange } from '../port.ts';
import type { RecordBatch } from './record-batch.ts';
import type { Fault } from './record-batches.ts';

/** What is kept of bytes that cannot be read. */
export const KEPT_BYTES = 256 * 1024;

interface Partition {
  readonly topic: string;
  readonly partition: number;
}

export function tooLargeRange(
  { topic, partition }: Partition,
  { position, size }: { readonly position: Position; readonly size: number },
  { maxTimestamp }: RecordBatch,
): UnreadableRange {
  return {
    topic,
    partition,
    from: position,
    to: position + 1,
    code: 'too_large',
    reason: `the record takes ${size} bytes unpacked`,
    bytes: null,
    timestamp: maxTimestamp,
  };
}

/** The range that a fault comes to in the end. */
export function damagedRange(
  { topic, partition }: Partition,
  from: Position,
  to: Position,
  { reason, bytes }: Fault,
): UnreadableRange {
  const kept = bytes.length === 0 ? null : bytes.subarray(0, KEPT_BYTES);
  return { topic, partition, from, to, code: 'unreadable', reason, bytes: kept, timestamp: 0 };
}

/** A fault that the broker itself has found: it gives nothing out then. */
export const REFUSED: Fault = {
  reason: 'the broker finds it damaged and does not give it out',
  bytes: Buffer.alloc(0),
  to: null,
};
