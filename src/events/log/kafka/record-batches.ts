import { PermanentError } from '../../../platform/errors.ts';
import type { LogRecord, Position } from '../port.ts';
import { ByteReader } from './byte-reader.ts';
import { decompress } from './compression.ts';

/**
 * From the bytes of a partition to its records. The layout is that of Kafka's "Record Batch", version 2 (since 0.11).
 *
 * kafkajs has a decoder of its own, and it is not used: it says nothing of a batch without records, which compaction
 * leaves behind, so that whoever reads with it stands before such a batch for ever.
 */
export interface DecodedBatches {
  readonly records: readonly LogRecord[];
  /** After the last whole batch, records or not; null where there was none. */
  readonly next: Position | null;
}

export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: Position;
}

/** Records of transactions that were given up are left out, and so are the marks that end transactions. */
export function decodeBatches(
  bytes: Buffer,
  place: Pick<LogRecord, 'topic' | 'partition'>,
  abortedTransactions: readonly AbortedTransaction[],
): DecodedBatches {
  const pending = abortedTransactions.toSorted((a, b) => a.firstOffset - b.firstOffset);
  const aborted = new Set<bigint>();
  const records: LogRecord[] = [];
  let next: Position | null = null;
  for (let at = 0; at + LENGTH_END <= bytes.length;) {
    const end = at + LENGTH_END + bytes.readInt32BE(at + 8);
    // A fetch cuts the last batch where its size ends.
    if (end > bytes.length) break;
    const batch = readHeader(bytes.subarray(at, end), place);
    at = end;
    next = batch.lastOffset + 1;
    while (pending[0] && pending[0].firstOffset <= batch.lastOffset) {
      aborted.add((pending.shift() as AbortedTransaction).producerId);
    }
    if (batch.isControl) {
      // Compaction leaves an empty one behind, as the last that a producer wrote.
      if (batch.count > 0 && isAbortMark(batch)) aborted.delete(batch.producerId);
    } else if (!(batch.isTransactional && aborted.has(batch.producerId))) {
      for (const record of readRecords(batch)) records.push({ ...place, ...record });
    }
  }
  return { records, next };
}

interface BatchHeader {
  readonly baseOffset: Position;
  readonly lastOffset: Position;
  readonly codec: number;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  /** The time of the append, where the topic keeps that one; else null, and each record has its own. */
  readonly appendTime: number | null;
  readonly baseTimestamp: number;
  readonly producerId: bigint;
  readonly count: number;
  readonly body: Buffer;
}

/** Where a batch's length ends, which is counted from there. */
const LENGTH_END = 12;
const HEADER_BYTES = 61;

function readHeader(
  batch: Buffer,
  { topic, partition }: Pick<LogRecord, 'topic' | 'partition'>,
): BatchHeader {
  if (batch.readInt8(16) !== 2) {
    throw new PermanentError(
      `${topic}/${partition} holds records in a format from before Kafka 0.11. Have them written anew.`,
    );
  }
  const attributes = batch.readInt16BE(21);
  const baseOffset = Number(batch.readBigInt64BE(0));
  return {
    baseOffset,
    lastOffset: baseOffset + batch.readInt32BE(23),
    codec: attributes & 0x07,
    isTransactional: (attributes & 0x10) !== 0,
    isControl: (attributes & 0x20) !== 0,
    appendTime: attributes & 0x08 ? Number(batch.readBigInt64BE(35)) : null,
    baseTimestamp: Number(batch.readBigInt64BE(27)),
    producerId: batch.readBigInt64BE(43),
    count: batch.readInt32BE(57),
    body: batch.subarray(HEADER_BYTES),
  };
}

type Content = Omit<LogRecord, 'topic' | 'partition'>;

function readRecords(batch: BatchHeader): readonly Content[] {
  if (batch.count === 0) return [];
  const reader = new ByteReader(decompress(batch.codec, batch.body));
  return Array.from({ length: batch.count }, () => readRecord(reader, batch));
}

function readRecord(reader: ByteReader, { baseOffset, baseTimestamp, appendTime }: BatchHeader): Content {
  // Its length and its attributes, of which there are none yet.
  reader.varint();
  reader.skip(1);
  const timestamp = baseTimestamp + reader.varint();
  const position = baseOffset + reader.varint();
  const key = reader.text(reader.varint());
  const value = reader.bytes(reader.varint());
  const headers = Array.from({ length: reader.varint() }, () => {
    const name = reader.text(reader.varint()) ?? '';
    return [name, reader.text(reader.varint()) ?? ''] as const;
  });
  return {
    position,
    timestamp: appendTime ?? timestamp,
    key,
    value,
    headers: Object.fromEntries(headers),
  };
}

/** The one record of a control batch has a version and a type as its key; type 0 ends a transaction as given up. */
function isAbortMark({ codec, body }: BatchHeader): boolean {
  const reader = new ByteReader(decompress(codec, body));
  reader.varint();
  reader.skip(1);
  reader.varint();
  reader.varint();
  return reader.bytes(reader.varint())?.readInt16BE(2) === 0;
}
