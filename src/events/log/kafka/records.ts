import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Position } from '../port.ts';
import { unpack } from './compression.ts';
import { ByteReader } from './byte-reader.ts';
import type { RecordBatch } from './record-batch.ts';
import { Window } from './record-window.ts';
import { readHead, type ReadRecord, readRecord } from './record.ts';

/**
 * A batch as its records, one after the other, in bounded memory whatever it unpacks to: "Record" and "Control Batch" of
 * the Kafka protocol (magic 2, KIP-98; headers by KIP-82).
 */

/** What a record takes at most, once it is unpacked; the contract's own limit is a quarter of it. */
export const RECORD_BYTES = 1024 * 1024;
/** What a batch unpacks to at most: brokers take a mebibyte, and Zstandard makes 32 GiB of that. */
export const BATCH_BYTES = 1024 * 1024 * 1024;
/** Beyond this a record is not even stepped over, and its batch ends with it. */
const SKIPPED_BYTES = 64 * 1024 * 1024;
const BATCH_RECORDS = 1_000_000;

export type RecordItem =
  | { readonly kind: 'record'; readonly record: ReadRecord }
  /** A record that is larger than what is read. */
  | { readonly kind: 'large'; readonly position: Position; readonly size: number }
  /** So much was unpacked without bringing anything. */
  | { readonly kind: 'nothing' };

/**
 * Positions rise, and are the batch's own. To stop early, end the iteration.
 * @throws whatever is wrong with the batch: what came before stands.
 */
export async function* readRecords(batch: RecordBatch): AsyncGenerator<RecordItem, void, undefined> {
  const { baseOffset, lastOffset, codec, count, body } = batch;
  if (count < 0) throw new RangeError(`it says that it has ${count} records`);
  if (count === 0 && body.length > 0) throw new RangeError('it says that it has no records, and has some');
  if (count > BATCH_RECORDS) throw new RangeError(`it has ${count} records: more than ${BATCH_RECORDS}`);
  if (count === 0) return;
  const largest = codec === 0 ? Infinity : RECORD_BYTES;
  let last = baseOffset - 1;
  let done = 0;
  const place = (position: Position): Position => {
    if (position <= last || position > lastOffset)
      throw new RangeError(`a record says that it stands at ${position}, after ${last}`);
    last = position;
    return position;
  };
  const window = new Window();
  for await (const piece of unpack(codec, body)) {
    window.add(piece);
    for (; done < count; done += 1) {
      const size = window.nextLength();
      if (size === null) break;
      if (size < 0) throw new RangeError(`a record is ${size} bytes long, by its own account`);
      if (size <= largest) {
        const bytes = window.take(size);
        if (bytes === null) break;
        const record = readRecord(bytes, batch);
        yield { kind: 'record', record: { ...record, position: place(record.position) } };
      } else {
        if (size > SKIPPED_BYTES) throw new RangeError(`a record in it takes ${size} bytes`);
        const bytes = window.peek(HEAD_BYTES);
        if (bytes === null) break;
        const position = place(readHead(new ByteReader(bytes), batch).position);
        window.skip(size);
        yield { kind: 'large', position, size };
      }
    }
    if (done === count) {
      if (last === lastOffset) return;
      // Compaction takes records away and leaves the positions of their batch; then nothing is left of them here.
      if (window.left > 0) throw new RangeError(`it says that it has ${count} records, and has more`);
    }
    if (window.added > BATCH_BYTES)
      throw new RangeError(`its records unpack to more than ${BATCH_BYTES} bytes`);
    yield { kind: 'nothing' };
    if (codec !== 0) await nextTurn();
  }
  if (done < count) throw new RangeError(`it says that it has ${count} records, and has ${done}`);
}

/** More than the attributes, the time and the position of a record take. */
const HEAD_BYTES = 32;

/** The one record of a control batch has a version and a type as its key; type 0 ends a transaction as given up. */
export async function isAbortMark(batch: RecordBatch): Promise<boolean> {
  for await (const item of readRecords(batch)) {
    if (item.kind === 'record' && item.record.key) return item.record.key.readInt16BE(2) === 0;
  }
  throw new RangeError('it marks the end of a transaction, and does not say which');
}
