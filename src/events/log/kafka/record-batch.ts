import type { Position } from '../port.ts';
import { crc32c } from './crc32c.ts';

/** Where a batch's length ends, which is counted from there. */
const LENGTH_END = 12;
const MAGIC_AT = 16;
const HEADER_BYTES = 61;
/** Where what the checksum covers begins. */
const SIGNED_FROM = 21;

export interface RecordBatch {
  readonly kind: 'batch';
  readonly baseOffset: Position;
  readonly lastOffset: Position;
  readonly codec: number;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  /** The time of the append, where the topic keeps that one; else null, and each record has its own. */
  readonly appendTime: number | null;
  readonly baseTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: bigint;
  readonly count: number;
  readonly body: Buffer;
  /** All of it. */
  readonly bytes: Buffer;
}

interface DamagedBatch {
  readonly kind: 'damaged';
  readonly reason: string;
  /** As far as its length goes; null where that cannot be right. */
  readonly bytes: Buffer | null;
}

export function readBatch(bytes: Buffer, at: number): RecordBatch | DamagedBatch | { readonly kind: 'cut' } {
  if (at + MAGIC_AT >= bytes.length) return { kind: 'cut' };
  const length = LENGTH_END + bytes.readInt32BE(at + 8);
  const magic = bytes.readInt8(at + MAGIC_AT);
  if (length <= MAGIC_AT || (magic === 2 && length < HEADER_BYTES))
    return { kind: 'damaged', reason: `it is ${length} bytes long, by its own account`, bytes: null };
  if (at + length > bytes.length) return { kind: 'cut' };
  const batch = bytes.subarray(at, at + length);
  if (magic !== 2) {
    const reason =
      magic === 0 || magic === 1
        ? 'it is in a format from before Kafka 0.11: have it written again by a newer client'
        : `its format has the number ${magic}`;
    return { kind: 'damaged', reason, bytes: batch };
  }
  if (crc32c(batch.subarray(SIGNED_FROM)) !== batch.readUInt32BE(17))
    return { kind: 'damaged', reason: 'its checksum is wrong', bytes: batch };
  return readHeader(batch);
}

function readHeader(batch: Buffer): RecordBatch {
  const attributes = batch.readInt16BE(SIGNED_FROM);
  const baseOffset = Number(batch.readBigInt64BE(0));
  const maxTimestamp = Number(batch.readBigInt64BE(35));
  return {
    kind: 'batch',
    baseOffset,
    lastOffset: baseOffset + batch.readInt32BE(23),
    codec: attributes & 0x07,
    isTransactional: (attributes & 0x10) !== 0,
    isControl: (attributes & 0x20) !== 0,
    appendTime: attributes & 0x08 ? maxTimestamp : null,
    baseTimestamp: Number(batch.readBigInt64BE(27)),
    maxTimestamp,
    producerId: batch.readBigInt64BE(43),
    count: batch.readInt32BE(57),
    body: batch.subarray(HEADER_BYTES),
    bytes: batch,
  };
}
