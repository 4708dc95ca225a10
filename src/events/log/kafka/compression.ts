import { constants, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { PermanentError } from '../../../platform/errors.ts';
import { lz4Decompress } from './lz4.ts';
import { snappyDecompress } from './snappy.ts';

/** What a batch may grow to, in bytes: a small one must not fill the memory. */
export const UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * Undoes what a producer, or the topic's `compression.type`, has done to a batch's records.
 * @param codec the lowest three bits of the batch's attributes (Kafka protocol, "Record Batch").
 * @throws {PermanentError} where the codec is not known. Damaged bytes throw whatever their reader throws.
 */
export function decompress(codec: number, bytes: Buffer): Buffer {
  switch (codec) {
    case 0:
      return bytes;
    case 1:
      // A stream that ends early is damaged; what came before it is not to be had without the rest.
      return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES, finishFlush: constants.Z_FINISH });
    case 2:
      return snappyDecompress(bytes, UNPACKED_BYTES);
    case 3:
      return lz4Decompress(bytes, UNPACKED_BYTES);
    case 4:
      return zstdDecompressSync(bytes, { maxOutputLength: UNPACKED_BYTES });
    default:
      throw new PermanentError(
        `A batch of records is compressed in a way that is not known: codec ${codec}.`,
      );
  }
}
