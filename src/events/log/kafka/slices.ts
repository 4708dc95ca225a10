import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { Batch, Position } from '../port.ts';
import { isOutOfMemory } from './compression.ts';
import type { AbortedTransaction } from './protocol.ts';
import type { RecordBatch } from './record-batch.ts';
import { isAbortMark, readRecords } from './records.ts';
import { SliceBuilder } from './slice-builder.ts';
import { KEPT_BYTES, tooLarge } from './unreadable.ts';

export interface Fetchable {
  readonly topic: string;
  readonly partition: number;
  /** Nothing below it is handed out. */
  readonly from: Position;
  /** Aborted transactions that have something here ("read committed", KIP-98). */
  readonly aborted: readonly AbortedTransaction[];
  /** Where reading ended when they were read; below 0 where that is not known. */
  readonly readable: Position;
}

/**
 * Hands out the record batches that `scanBatches` has found in slices, so that the memory stays bounded: a slice may end
 * inside a record batch, and has something in it or behind it. Records of aborted transactions are left out, and so are
 * the marks that end transactions. What is wrong within a batch is a range that ends with the batch: the checksum was
 * right, so no repetition would bring anything else.
 * @throws {RetryableError} where the memory does not suffice.
 */
export function* readSlices(
  batches: readonly RecordBatch[],
  { topic, partition, from, aborted, readable }: Fetchable,
): Generator<Batch, void, undefined> {
  const pending = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const givenUp = new Set<bigint>();
  let slice = new SliceBuilder(from);
  for (const batch of batches) {
    const unreadable = (reason: string): void =>
      slice.leaveOut({
        topic,
        partition,
        from: slice.next,
        to: batch.lastOffset + 1,
        code: 'unreadable',
        reason,
        bytes: batch.bytes.subarray(0, KEPT_BYTES),
        timestamp: batch.maxTimestamp,
      });
    while (pending[0] && pending[0].firstOffset <= batch.lastOffset) {
      givenUp.add((pending.shift() as AbortedTransaction).producerId);
    }
    try {
      if (batch.isControl) {
        // Compaction leaves an empty one behind, as the last that a producer wrote.
        const isEmpty = batch.count === 0 && batch.body.length === 0;
        if (!isEmpty && isAbortMark(batch)) givenUp.delete(batch.producerId);
      } else if (!(batch.isTransactional && givenUp.has(batch.producerId))) {
        for (const item of readRecords(batch)) {
          if (item.kind === 'record' && item.record.position >= from) {
            const { key, size, ...record } = item.record;
            slice.add({ topic, partition, ...record, key: key?.toString('utf8') ?? null }, size);
          } else if (item.kind === 'large' && item.position >= from) {
            slice.leaveOut(tooLarge({ topic, partition }, item, batch));
          }
          if (slice.isFull) {
            yield slice.batch(readable);
            slice = new SliceBuilder(slice.next);
          }
        }
      }
    } catch (thrown) {
      if (isOutOfMemory(thrown))
        throw new RetryableError(`${topic}/${partition} cannot be unpacked: no memory.`, { cause: thrown });
      unreadable(messageOf(thrown));
      // Whose transactions have ended is not known any more: the next fetch tells it.
      if (batch.isControl) break;
    }
    slice.goTo(batch.lastOffset + 1);
  }
  if (slice.hasProgress) yield slice.batch(readable);
}
