import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { LogRecord, Position, UnreadableRange } from '../port.ts';
import { isOutOfMemory, unpack } from './unpack-by-codec.ts';
import type { FetchedPart } from './cluster-client.ts';
import { type AbortedTransaction, ByteReader, type PartitionResponse } from './fetch-response.ts';
import type { RecordBatch } from './record-batches.ts';
import { KEPT_BYTES } from './retry-and-skip-damage.ts';

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
 * @param from nothing below it is handed out.
 * @param aborted transactions that have something here ("read committed", KIP-98).
 * @throws {RetryableError} where the memory does not suffice.
 */
export function* committedRecords(
  batches: readonly RecordBatch[],
  { topic, partition, from, aborted }: FetchedPart & Pick<PartitionResponse, 'aborted'>,
): Generator<Item, void, undefined> {
  const pending = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const givenUp = new Set<bigint>();
  let next = from;
  for (const batch of batches) {
    const end = batch.lastOffset + 1;
    const place = { topic, partition, timestamp: batch.maxTimestamp };
    while (pending[0] && pending[0].firstOffset < end)
      givenUp.add((pending.shift() as AbortedTransaction).producerId);
    try {
      if (batch.isControl) {
        // Compaction leaves an empty one behind, as the last that a producer wrote.
        const isEmpty = batch.count === 0 && batch.body.length === 0;
        if (!isEmpty && isAbortMark(batch)) givenUp.delete(batch.producerId);
      } else if (!(batch.isTransactional && givenUp.has(batch.producerId))) {
        for (const { position, size, record } of readRecords(batch)) {
          if (position < from) continue;
          next = position + 1;
          const reason = `the record takes ${size} bytes unpacked`;
          if (record === null)
            yield { range: { ...place, from: position, to: next, code: 'too_large', reason, bytes: null } };
          else yield { record: { topic, partition, position, ...record }, size };
        }
      }
    } catch (thrown) {
      if (isOutOfMemory(thrown))
        throw new RetryableError(`${topic}/${partition} cannot be unpacked: no memory.`, { cause: thrown });
      const [reason, bytes] = [messageOf(thrown), batch.bytes.subarray(0, KEPT_BYTES)];
      if (next < end) yield { range: { ...place, from: next, to: end, code: 'unreadable', reason, bytes } };
      // Whose transactions have ended is not known any more: the next fetch tells it.
      if (batch.isControl) return;
      next = end;
    }
    if (next < end) yield { next: end };
    next = end;
  }
}

/** What a compressed record takes at most, once it is unpacked; the contract's own limit is a quarter of it. */
const RECORD_BYTES = 1024 * 1024;
const BATCH_RECORDS = 1_000_000;

interface RecordItem {
  readonly position: Position;
  /** What it takes, in bytes. */
  readonly size: number;
  /** null where it is larger than what is read. */
  readonly record: Omit<LogRecord, 'topic' | 'partition' | 'position'> | null;
}

/**
 * A batch as its records, one after the other: "Record" and "Control Batch" of the Kafka protocol (magic 2, KIP-98; headers
 * by KIP-82). Positions rise, and are the batch's own.
 * @throws whatever is wrong with the batch: what came before stands.
 */
function* readRecords(batch: RecordBatch): Generator<RecordItem, void, undefined> {
  const { baseOffset, lastOffset, codec, count, body } = batch;
  if (count < 0) throw new RangeError(`it says that it has ${count} records`);
  if (count > BATCH_RECORDS) throw new RangeError(`it has ${count} records: more than ${BATCH_RECORDS}`);
  // Compaction leaves batches without records; what is compressed in them is nothing.
  const reader = new ByteReader(count === 0 ? body : unpack(codec, body));
  const largest = codec === 0 ? Infinity : RECORD_BYTES;
  let last = baseOffset - 1;
  for (let done = 0; done < count; done += 1) {
    if (reader.left === 0) throw new RangeError(`it says that it has ${count} records, and has ${done}`);
    const bytes = reader.bytes(reader.varint());
    if (bytes === null) throw new RangeError('a record has less than no bytes, by its own account');
    const item = readRecord(bytes, batch, largest);
    if (item.position <= last || item.position > lastOffset)
      throw new RangeError(`a record says that it stands at ${item.position}, after ${last}`);
    last = item.position;
    yield item;
  }
  if (reader.left > 0) throw new RangeError(`it says that it has ${count} records, and has more`);
}

function readRecord(
  bytes: Buffer,
  { baseOffset, baseTimestamp, appendTime }: RecordBatch,
  largest: number,
): RecordItem {
  const reader = new ByteReader(bytes);
  // Its attributes, of which there are none yet.
  reader.skip(1);
  const created = baseTimestamp + reader.varint();
  const position = baseOffset + reader.varint();
  if (bytes.length > largest) return { position, size: bytes.length, record: null };
  const key = reader.text(reader.varint());
  const value = reader.bytes(reader.varint());
  const headers = reader.items(reader.varint(), () => {
    const name = reader.text(reader.varint());
    if (name === null) throw new RangeError('a header has no name');
    return [name, reader.text(reader.varint()) ?? ''] as const;
  });
  if (reader.left > 0) throw new RangeError('a record is longer than what is in it');
  const record = { timestamp: appendTime ?? created, key, value, headers: Object.fromEntries(headers) };
  return { position, size: bytes.length + HEADER_COST * headers.length, record };
}

/** What a header costs beside its bytes. */
const HEADER_COST = 32;

/** The one record of a control batch has a version and a type as its key; type 0 ends a transaction as given up. */
function isAbortMark(batch: RecordBatch): boolean {
  for (const { record } of readRecords(batch)) {
    if (record?.key) return Buffer.from(record.key).readInt16BE(2) === 0;
  }
  throw new RangeError('it marks the end of a transaction, and does not say which');
}
