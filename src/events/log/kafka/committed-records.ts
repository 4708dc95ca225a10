import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { LogRecord, Position, UnreadableRange } from '../port.ts';
import { isOutOfMemory } from './compression.ts';
import type { AbortedTransaction } from './protocol.ts';
import type { RecordBatch } from './record-batch.ts';
import { isAbortMark, readRecords } from './records.ts';
import { KEPT_BYTES, tooLargeRange } from './unreadable-range.ts';

export interface Fetchable {
  readonly topic: string;
  readonly partition: number;
  /** Nothing below it is handed out. */
  readonly from: Position;
  /** Aborted transactions that have something here ("read committed", KIP-98). */
  readonly aborted: readonly AbortedTransaction[];
}

/** What stands next in a partition. */
export type Item =
  /** `size`: in bytes. */
  | { readonly record: LogRecord; readonly size: number }
  | { readonly range: UnreadableRange }
  /** Nothing more below this position. */
  | { readonly next: Position };

/**
 * The records in the batches that `scanBatches` has found; a batch is unpacked when its first one is asked for. Records of
 * aborted transactions are left out, and so are the marks that end transactions. What is wrong within a batch is a range that
 * ends with the batch: the checksum was right, so no repetition would bring anything else.
 * @throws {RetryableError} where the memory does not suffice.
 */
export function* committedRecords(
  batches: readonly RecordBatch[],
  { topic, partition, from, aborted }: Fetchable,
): Generator<Item, void, undefined> {
  const pending = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const givenUp = new Set<bigint>();
  let next = from;
  for (const batch of batches) {
    const end = batch.lastOffset + 1;
    while (pending[0] && pending[0].firstOffset < end) {
      givenUp.add((pending.shift() as AbortedTransaction).producerId);
    }
    try {
      if (batch.isControl) {
        // Compaction leaves an empty one behind, as the last that a producer wrote.
        const isEmpty = batch.count === 0 && batch.body.length === 0;
        if (!isEmpty && isAbortMark(batch)) givenUp.delete(batch.producerId);
      } else if (!(batch.isTransactional && givenUp.has(batch.producerId))) {
        for (const { position, size, record } of readRecords(batch)) {
          if (position < from) continue;
          next = position + 1;
          if (record === null)
            yield { range: tooLargeRange({ topic, partition }, { position, size }, batch) };
          else yield { record: { topic, partition, position, ...record }, size };
        }
      }
    } catch (thrown) {
      if (isOutOfMemory(thrown))
        throw new RetryableError(`${topic}/${partition} cannot be unpacked: no memory.`, { cause: thrown });
      const what = { code: 'unreadable', reason: messageOf(thrown), timestamp: batch.maxTimestamp } as const;
      const bytes = batch.bytes.subarray(0, KEPT_BYTES);
      if (next < end) yield { range: { topic, partition, from: next, to: end, ...what, bytes } };
      // Whose transactions have ended is not known any more: the next fetch tells it.
      if (batch.isControl) return;
      next = end;
    }
    if (next < end) yield { next: end };
    next = end;
  }
}
