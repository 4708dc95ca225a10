import { crc32 } from 'node:zlib';

import type { Position } from '../port.ts';
import { crc32c } from './crc32c.ts';

/**
 * From the bytes of a partition to its batches, with nothing unpacked yet. The layout is that of the Kafka protocol's
 * "Record Batch", version 2 (magic 2, KIP-98, since 0.11), signed with CRC-32C.
 *
 * The decoder of kafkajs is not used: it says nothing of a batch without records, which compaction leaves behind, so that
 * its reader stands before such a batch for ever; and it checks no checksum.
 */
export interface Scan {
  /** Whole, undamaged, one behind the other, with nothing that ends below the position that was asked for. */
  readonly batches: readonly Scanned[];
  /** What stands behind them and is none of that kind; null where there is nothing. */
  readonly fault: Fault | null;
}

export type Scanned = RecordBatch | OldMessages;

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

/** In a format from before Kafka 0.11: its last position is all that is read of it. */
export interface OldMessages {
  readonly kind: 'old';
  readonly baseOffset: Position;
  readonly lastOffset: Position;
  readonly bytes: Buffer;
}

export interface Fault {
  /** `cut`: a batch that goes on beyond the end of the answer, as the last one of a fetch may. */
  readonly kind: 'cut' | 'damaged';
  /** The position after the last record before it, or the one that was asked for. */
  readonly from: Position;
  /** The position after its last record; null where nothing in it can be relied upon. */
  readonly to: Position | null;
  /** On one line. */
  readonly reason: string;
  readonly bytes: Buffer;
}

/**
 * @param from the position that was asked for: what stands before it in its batch comes along.
 * @param end the high watermark, where nothing can stand yet; below 0 where it is not known.
 */
export function scanBatches(bytes: Buffer, from: Position, end: Position): Scan {
  const batches: Scanned[] = [];
  let next = from;
  let last = -1;
  const stopAt = (at: number, kind: Fault['kind'], reason: string, to: Position | null = null): Scan => ({
    batches,
    fault: { kind, from: next, to, reason, bytes: bytes.subarray(at) },
  });
  for (let at = 0; at < bytes.length;) {
    const found = readBatch(bytes, at);
    switch (found.kind) {
      case 'cut':
        return stopAt(at, 'cut', 'the batch does not end within the answer');
      case 'damaged':
        return stopAt(at, 'damaged', found.reason, endOfDamage(bytes, found, next, end));
      case 'batch':
      case 'old':
    }
    const { baseOffset, lastOffset } = found;
    if (lastOffset < baseOffset)
      return stopAt(at, 'damaged', `its last position, ${lastOffset}, is before its first, ${baseOffset}`);
    if (end >= 0 && lastOffset >= end)
      return stopAt(at, 'damaged', `it ends at ${lastOffset}, and the log at ${end}`);
    if (baseOffset <= last) {
      // The checksum does not cover the first position of a batch: this one's may be wrong, or the one's before it.
      const before = batches.at(-1);
      if (before && baseOffset > before.baseOffset && baseOffset > from) {
        batches.pop();
        next = Math.max(from, (batches.at(-1)?.lastOffset ?? -1) + 1);
        return stopAt(
          at - before.bytes.length,
          'damaged',
          `it overlaps the batch at ${baseOffset}`,
          baseOffset,
        );
      }
      return stopAt(at, 'damaged', `it begins at ${baseOffset}, and the batch before it ends at ${last}`);
    }
    last = lastOffset;
    at += found.bytes.length;
    // A broker may begin with a batch before the one that was asked for.
    if (lastOffset < from) continue;
    batches.push(found);
    next = lastOffset + 1;
  }
  if (batches.length === 0 && bytes.length > 0)
    return stopAt(0, 'damaged', `it ends at ${last}, before the position ${from} that was asked for`);
  return { batches, fault: null };
}

/** Where a batch's length ends, which is counted from there. */
const LENGTH_END = 12;
const MAGIC_AT = 16;
const HEADER_BYTES = 61;
/** Where what the checksum covers begins, in the format of today and in the one before it. */
const SIGNED_FROM = 21;
const OLD_SIGNED_FROM = 16;
/** An old message without a key, a value and a time. */
const OLD_BYTES = 26;

interface Damaged {
  readonly kind: 'damaged';
  readonly reason: string;
  /** As far as its length goes; null where that cannot be right. */
  readonly bytes: Buffer | null;
}

function readBatch(bytes: Buffer, at: number): Scanned | Damaged | { readonly kind: 'cut' } {
  if (at + MAGIC_AT >= bytes.length) return { kind: 'cut' };
  const length = LENGTH_END + bytes.readInt32BE(at + 8);
  const magic = bytes.readInt8(at + MAGIC_AT);
  if (length < (magic === 2 ? HEADER_BYTES : OLD_BYTES))
    return { kind: 'damaged', reason: `it is ${length} bytes long, by its own account`, bytes: null };
  if (at + length > bytes.length) return { kind: 'cut' };
  const batch = bytes.subarray(at, at + length);
  switch (magic) {
    case 0:
    case 1: {
      if (crc32(batch.subarray(OLD_SIGNED_FROM)) !== batch.readUInt32BE(12)) break;
      const lastOffset = Number(batch.readBigInt64BE(0));
      return { kind: 'old', baseOffset: lastOffset, lastOffset, bytes: batch };
    }
    case 2:
      if (crc32c(batch.subarray(SIGNED_FROM)) !== batch.readUInt32BE(17)) break;
      return readHeader(batch);
    default:
      return { kind: 'damaged', reason: `its format has the number ${magic}`, bytes: batch };
  }
  return { kind: 'damaged', reason: 'its checksum is wrong', bytes: batch };
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

/**
 * Where a damaged batch ends: where an undamaged one begins behind it; else where its header says, as far as two fields
 * of it that have nothing to do with each other agree. null where nothing says it.
 */
function endOfDamage(
  bytes: Buffer,
  { bytes: batch }: Damaged,
  from: Position,
  end: Position,
): Position | null {
  if (batch === null) return null;
  const isWithin = (to: Position): boolean => to > from && (end < 0 || to <= end);
  const behind = readBatch(bytes, batch.byteOffset - bytes.byteOffset + batch.length);
  if (behind.kind === 'batch') return isWithin(behind.baseOffset) ? behind.baseOffset : null;
  if (batch.length < HEADER_BYTES) return null;
  const { baseOffset, lastOffset, count } = readHeader(batch);
  const to = lastOffset + 1;
  return count > 0 && to - baseOffset === count && baseOffset <= from && isWithin(to) ? to : null;
}
