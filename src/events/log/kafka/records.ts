import type { Position } from '../port.ts';
import { ByteReader } from './byte-reader.ts';
import { unpack } from './compression.ts';
import type { RecordBatch } from './record-batch.ts';
import { readHead, type ReadRecord, readRecord } from './record.ts';

/** What a compressed record takes at most, once it is unpacked; the contract's own limit is a quarter of it. */
const RECORD_BYTES = 1024 * 1024;
const BATCH_RECORDS = 1_000_000;

export type RecordItem =
  | { readonly kind: 'record'; readonly record: ReadRecord }
  /** A record that is larger than what is read. */
  | { readonly kind: 'large'; readonly position: Position; readonly size: number };

/**
 * A batch as its records, one after the other: "Record" and "Control Batch" of the Kafka protocol (magic 2, KIP-98; headers
 * by KIP-82). Positions rise, and are the batch's own.
 * @throws whatever is wrong with the batch: what came before stands.
 */
export function* readRecords(batch: RecordBatch): Generator<RecordItem, void, undefined> {
  const { baseOffset, lastOffset, codec, count, body } = batch;
  if (count < 0) throw new RangeError(`it says that it has ${count} records`);
  if (count > BATCH_RECORDS) throw new RangeError(`it has ${count} records: more than ${BATCH_RECORDS}`);
  // Compaction leaves batches without records; what is compressed in them is nothing.
  const reader = new ByteReader(count === 0 ? body : unpack(codec, body));
  const largest = codec === 0 ? Infinity : RECORD_BYTES;
  let last = baseOffset - 1;
  const place = (position: Position): Position => {
    if (position <= last || position > lastOffset)
      throw new RangeError(`a record says that it stands at ${position}, after ${last}`);
    last = position;
    return position;
  };
  for (let done = 0; done < count; done += 1) {
    if (reader.left === 0) throw new RangeError(`it says that it has ${count} records, and has ${done}`);
    const bytes = reader.bytes(reader.varint());
    if (bytes === null) throw new RangeError('a record has less than no bytes, by its own account');
    if (bytes.length > largest) {
      const { position } = readHead(new ByteReader(bytes), batch);
      yield { kind: 'large', position: place(position), size: bytes.length };
    } else {
      const record = readRecord(bytes, batch);
      yield { kind: 'record', record: { ...record, position: place(record.position) } };
    }
  }
  if (reader.left > 0) throw new RangeError(`it says that it has ${count} records, and has more`);
}

/** The one record of a control batch has a version and a type as its key; type 0 ends a transaction as given up. */
export function isAbortMark(batch: RecordBatch): boolean {
  for (const item of readRecords(batch)) {
    if (item.kind === 'record' && item.record.key) return item.record.key.readInt16BE(2) === 0;
  }
  throw new RangeError('it marks the end of a transaction, and does not say which');
}
