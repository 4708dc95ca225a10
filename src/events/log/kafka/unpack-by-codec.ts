import { gunzipSync, zstdDecompressSync } from 'node:zlib';

import { codeOf } from '../../../platform/errors.ts';
import { unpackLz4 } from './lz4.ts';
import { unpackSnappy } from './snappy.ts';
import { tooMuch, UNPACKED_BYTES } from './unpack-output.ts';

const LIMITS = { maxOutputLength: UNPACKED_BYTES };

/**
 * Undoes what a producer, or the topic's `compression.type`, has done to a batch's records.
 * @param codec the lowest three bits of the batch's attributes (Kafka protocol, "Record Batch").
 * @throws {RangeError} where the codec is not known, or there is more than `UNPACKED_BYTES`. Damaged bytes throw what their
 * reader throws.
 */
export function unpack(codec: number, bytes: Buffer): Buffer {
  try {
    switch (codec) {
      case 0:
        return bytes;
      case 1:
        return gunzipSync(bytes, LIMITS);
      case 2:
        return unpackSnappy(bytes);
      case 3:
        return unpackLz4(bytes);
      case 4:
        return zstdDecompressSync(bytes, LIMITS);
      default:
        throw new RangeError(`the records are compressed in a way that is not known: codec ${codec}`);
    }
  } catch (thrown) {
    throw codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE' ? tooMuch() : thrown;
  }
}

/** Whether it was the memory that failed, and not the bytes: another time they can be unpacked. */
export function isOutOfMemory(thrown: unknown): boolean {
  return OUT_OF_MEMORY.has(codeOf(thrown) ?? '');
}

const OUT_OF_MEMORY = new Set([
  'Z_MEM_ERROR',
  'ZSTD_error_memory_allocation',
  'ERR_MEMORY_ALLOCATION_FAILED',
]);
