import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { Batch, LogRecord, Position, UnreadableRange } from '../port.ts';
import { isOutOfMemory } from './compression.ts';
import type { RecordBatch, Scanned } from './record-batches.ts';
import { isAbortMark, readRecords } from './records.ts';

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: Position;
}

export interface Fetchable {
  readonly topic: string;
  readonly partition: number;
  /** Nothing below it is handed out. */
  readonly from: Position;
  /** Aborted transactions that have something here ("read committed", KIP-98). */
  readonly aborted: readonly AbortedTransaction[];
}

/** A slice ends after so many bytes of records. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** What a record costs beside its bytes. */
const RECORD_COST = 256;
/** What is kept of bytes that cannot be read. */
export const KEPT_BYTES = 256 * 1024;

/**
 * Hands out the record batches that `scanBatches` has found in slices, so that the memory stays bounded: a slice may end
 * inside a record batch, and has something in it or behind it. Records of aborted transactions are left out, and so are
 * the marks that end transactions. What is wrong within a batch is a range that ends with the batch: the checksum was
 * right, so no repetition would bring anything else.
 * @throws {RetryableError} where the memory does not suffice.
 */
export async function* readSlices(
  batches: readonly Scanned[],
  { topic, partition, from, aborted }: Fetchable,
): AsyncGenerator<Batch, void, undefined> {
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
        timestamp: batch.kind === 'batch' ? batch.maxTimestamp : 0,
      });
    if (batch.kind === 'old') {
      unreadable('it is in a format from before Kafka 0.11: have it written again by a newer client');
      continue;
    }
    while (pending[0] && pending[0].firstOffset <= batch.lastOffset) {
      givenUp.add((pending.shift() as AbortedTransaction).producerId);
    }
    try {
      if (batch.isControl) {
        // Compaction leaves an empty one behind, as the last that a producer wrote.
        const isEmpty = batch.count === 0 && batch.body.length === 0;
        if (!isEmpty && (await isAbortMark(batch))) givenUp.delete(batch.producerId);
      } else if (!(batch.isTransactional && givenUp.has(batch.producerId))) {
        for await (const item of readRecords(batch)) {
          if (item.kind === 'record' && item.record.position >= from) {
            const { key, size, ...record } = item.record;
            slice.add({ topic, partition, ...record, key: key?.toString('utf8') ?? null }, size);
          } else if (item.kind === 'large' && item.position >= from) {
            slice.leaveOut(tooLarge(topic, partition, item, batch));
          }
          if (slice.isFull) {
            yield slice.batch();
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
  if (slice.hasProgress) yield slice.batch();
}

function tooLarge(
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

/** What of a batch stands below `at`, and what stands there and behind it. */
export function splitAt(batch: Batch, at: Position): readonly [Batch, Batch] {
  const { from, next, records, unreadable = [] } = batch;
  const ranges = (lowest: Position, end: Position): readonly UnreadableRange[] =>
    unreadable
      .filter((range) => range.from < end && range.to > lowest)
      .map((range) => ({ ...range, from: Math.max(range.from, lowest), to: Math.min(range.to, end) }));
  const below = records.filter(({ position }) => position < at);
  return [
    batchOf(from, at, below, ranges(from, at)),
    batchOf(at, next, records.slice(below.length), ranges(at, next)),
  ];
}

/** A batch of the port: `unreadable` is absent where there is nothing of the kind. */
function batchOf(
  from: Position,
  next: Position,
  records: readonly LogRecord[],
  unreadable: readonly UnreadableRange[],
): Batch {
  return { from, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
}

class SliceBuilder {
  readonly #records: LogRecord[] = [];
  readonly #unreadable: UnreadableRange[] = [];
  readonly #from: Position;
  #next: Position;
  #cost = 0;

  constructor(from: Position) {
    this.#from = from;
    this.#next = from;
  }

  get next(): Position {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#cost >= SLICE_BYTES;
  }

  get hasProgress(): boolean {
    return this.#next > this.#from;
  }

  batch(): Batch {
    return batchOf(this.#from, this.#next, this.#records, this.#unreadable);
  }

  add(record: LogRecord, size: number): void {
    this.#records.push(record);
    this.#cost += size + RECORD_COST;
    this.#next = record.position + 1;
  }

  leaveOut(range: UnreadableRange): void {
    this.goTo(range.to);
    const before = this.#unreadable.at(-1);
    if (before?.to === range.from && before.reason === range.reason && range.code === 'unreadable') {
      this.#unreadable[this.#unreadable.length - 1] = { ...before, to: range.to };
    } else if (range.to > range.from) {
      this.#unreadable.push(range);
      this.#cost += RECORD_COST + (range.bytes?.length ?? 0);
    }
  }

  goTo(position: Position): void {
    this.#next = Math.max(this.#next, position);
  }
}
