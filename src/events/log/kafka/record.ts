import type { LogRecord } from '../port.ts';
import { ByteReader } from './byte-reader.ts';
import type { RecordBatch } from './record-batch.ts';

export interface ReadRecord extends Omit<LogRecord, 'topic' | 'partition' | 'key'> {
  readonly key: Buffer | null;
  /** How many bytes its fields stood in. */
  readonly size: number;
}

export function readHead(reader: ByteReader, { baseOffset, baseTimestamp, appendTime }: RecordBatch) {
  // Its attributes, of which there are none yet.
  reader.skip(1);
  const timestamp = baseTimestamp + reader.varint();
  return { timestamp: appendTime ?? timestamp, position: baseOffset + reader.varint() };
}

export function readRecord(bytes: Buffer, batch: RecordBatch): ReadRecord {
  const reader = new ByteReader(bytes);
  const head = readHead(reader, batch);
  const key = reader.bytes(reader.varint());
  const value = reader.bytes(reader.varint());
  const headers = reader.items(reader.varint(), () => {
    const name = reader.text(reader.varint());
    if (name === null) throw new RangeError('a header has no name');
    return [name, reader.text(reader.varint()) ?? ''] as const;
  });
  if (reader.left > 0) throw new RangeError('a record is longer than what is in it');
  return {
    ...head,
    key,
    value,
    headers: Object.fromEntries(headers),
    size: bytes.length + 32 * headers.length,
  };
}
