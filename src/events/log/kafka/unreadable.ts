import type { Position, UnreadableRange } from '../port.ts';
import type { RecordBatch } from './record-batch.ts';

/** What is kept of bytes that cannot be read. */
export const KEPT_BYTES = 256 * 1024;

export function tooLarge(
  topic: string,
  partition: number,
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
