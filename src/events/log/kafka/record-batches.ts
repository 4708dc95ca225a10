import type { Position } from '../port.ts';

/**
 * What the bytes of a partition are: its batches, with nothing unpacked yet. The layout is that of the Kafka protocol's
 * "Record Batch", version 2 (magic 2, KIP-98, since 0.11), signed with CRC-32C.
 *
 * The decoder of kafkajs is not used: it says nothing of a batch without records, which compaction leaves behind, so that
 * its reader stands before such a batch for ever; and it checks no checksum.
 */
interface Scan {
  /** Whole, undamaged, one behind the other, with nothing that ends below the position that was asked for. */
  readonly batches: readonly RecordBatch[];
  /** What stands behind them and is none of that kind; null where there is nothing. */
  readonly fault: Fault | null;
}

/** What cannot be read at the position after the last record before it, or at the one that was asked for. */
export interface Fault {
  /** On one line. */
  readonly reason: string;
  /** From where it begins to the end of the answer; empty where the broker gives nothing out. */
  readonly bytes: Buffer;
  /** Where an undamaged batch begins behind it; null where none is to be seen. */
  readonly to: Position | null;
}

/**
 * @param from the position that was asked for: what stands before it in its batch comes along.
 * @param end the high watermark, where nothing can stand yet; below 0 where it is not known.
 */
export function scanBatches(bytes: Buffer, from: Position, end: Position): Scan {
  const batches: RecordBatch[] = [];
  const stopAt = (at: number, reason: string, to: Position | null = null): Scan => ({
    batches,
    fault: { reason, bytes: bytes.subarray(at), to },
  });
  let next = 0;
  for (let at = 0; at < bytes.length;) {
    const found = readBatch(bytes, at);
    if ('reason' in found) return stopAt(at, found.reason, firstBehind(bytes, found.next));
    const { baseOffset, lastOffset } = found;
    const before = batches.at(-1);
    if (baseOffset < next && before) {
      // The checksum does not cover the first position of a batch: this one's may be wrong, or the one's before it. Neither is
      // handed out then: records at wrong positions would hide right ones.
      batches.pop();
      return stopAt(at - before.bytes.length, `it overlaps the batch at ${baseOffset}`, baseOffset);
    }
    if (lastOffset < baseOffset || baseOffset < next)
      return stopAt(at, `it stands from ${baseOffset} to ${lastOffset}, behind ${next - 1}`);
    if (end >= 0 && lastOffset >= end) return stopAt(at, `it ends at ${lastOffset}, and the log at ${end}`);
    next = lastOffset + 1;
    at += found.bytes.length;
    // A broker may begin with a batch before the one that was asked for.
    if (lastOffset >= from) batches.push(found);
  }
  if (batches.length === 0 && bytes.length > 0)
    return stopAt(0, `it ends before ${next}, and ${from} was asked for`);
  return { batches, fault: null };
}

function firstBehind(bytes: Buffer, at: number): Position | null {
  const behind = readBatch(bytes, at);
  return 'reason' in behind ? null : behind.baseOffset;
}

/** Where a batch's length ends, which is counted from there. */
const LENGTH_END = 12;
const MAGIC_AT = 16;
const HEADER_BYTES = 61;
/** Where what the checksum covers begins. */
const SIGNED_FROM = 21;

export type RecordBatch = ReturnType<typeof readHeader>;

interface DamagedBatch {
  readonly reason: string;
  /** Where it ends; the end of the answer where its length cannot be right. */
  readonly next: number;
}

function readBatch(bytes: Buffer, at: number): RecordBatch | DamagedBatch {
  const cut = { reason: 'the batch does not end within the answer', next: bytes.length };
  if (at + MAGIC_AT >= bytes.length) return cut;
  const length = LENGTH_END + bytes.readInt32BE(at + 8);
  const magic = bytes.readInt8(at + MAGIC_AT);
  if (length <= MAGIC_AT || (magic === 2 && length < HEADER_BYTES))
    return { reason: `it is ${length} bytes long, by its own account`, next: bytes.length };
  const next = at + length;
  if (next > bytes.length) return cut;
  const batch = bytes.subarray(at, next);
  if (magic !== 2) {
    const reason =
      magic === 0 || magic === 1
        ? 'it is in a format from before Kafka 0.11: have it written again by a newer client'
        : `its format has the number ${magic}`;
    return { reason, next };
  }
  if (crc32c(batch.subarray(SIGNED_FROM)) !== batch.readUInt32BE(17))
    return { reason: 'its checksum is wrong', next };
  return readHeader(batch);
}

function readHeader(batch: Buffer) {
  const attributes = batch.readInt16BE(SIGNED_FROM);
  const baseOffset = Number(batch.readBigInt64BE(0));
  const maxTimestamp = Number(batch.readBigInt64BE(35));
  return {
    baseOffset,
    lastOffset: baseOffset + batch.readInt32BE(23),
    codec: attributes & 0x07,
    isTransactional: (attributes & 0x10) !== 0,
    isControl: (attributes & 0x20) !== 0,
    /** The time of the append, where the topic keeps that one; else null, and each record has its own. */
    appendTime: attributes & 0x08 ? maxTimestamp : null,
    baseTimestamp: Number(batch.readBigInt64BE(27)),
    maxTimestamp,
    producerId: batch.readBigInt64BE(43),
    count: batch.readInt32BE(57),
    body: batch.subarray(HEADER_BYTES),
    /** All of it. */
    bytes: batch,
  };
}

/**
 * CRC-32C (Castagnoli), with which Kafka signs its record batches; Node's `zlib.crc32` is another polynomial.
 * Source: RFC 3720, 12.1 and appendix B.4 (test vectors).
 */
export function crc32c(bytes: Buffer): number {
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1)
    crc = (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

/** The polynomial 0x1edc6f41, its bits in the order in which they come. */
const POLYNOMIAL = 0x82f63b78;

/** What each byte comes to. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});
