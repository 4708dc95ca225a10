import type { Transform } from 'node:stream';
import { constants, createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib';

import { lz4Pieces } from './lz4.ts';
import { snappyPieces } from './snappy.ts';

/** Up to so much is unpacked in one go, which is faster; a stream does the rest piece by piece, in another thread. */
const AT_ONCE_BYTES = 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/**
 * Undoes what a producer, or the topic's `compression.type`, has done to a batch's records: piece by piece, so that a
 * few bytes that unpack to very many do not fill the memory. To stop early, end the iteration.
 * @param codec the lowest three bits of the batch's attributes (Kafka protocol, "Record Batch"): none, gzip, Snappy, LZ4
 * (KIP-57), Zstandard (KIP-110).
 * @throws {RangeError} while it is read: where the codec is not known. Damaged bytes throw what their reader throws.
 */
export function unpack(codec: number, bytes: Buffer): Iterable<Buffer> | AsyncIterable<Buffer> {
  switch (codec) {
    case 0:
      return [bytes];
    case 1:
      // A stream that ends early is damaged.
      return (
        atOnce(() => gunzipSync(bytes, { ...AT_ONCE, finishFlush: constants.Z_FINISH })) ??
        streamed(() => createGunzip(PIECES), bytes)
      );
    case 2:
      return snappyPieces(bytes);
    case 3:
      return lz4Pieces(bytes);
    case 4:
      return (
        atOnce(() => zstdDecompressSync(bytes, AT_ONCE)) ??
        streamed(() => createZstdDecompress(PIECES), bytes)
      );
    default:
      throw new RangeError(`the records are compressed in a way that is not known: codec ${codec}`);
  }
}

const AT_ONCE = { maxOutputLength: AT_ONCE_BYTES };
const PIECES = { chunkSize: PIECE_BYTES };

/** null where it unpacks to more than that. */
function atOnce(work: () => Buffer): Iterable<Buffer> | null {
  try {
    return [work()];
  } catch (thrown) {
    if (codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE') return null;
    throw thrown;
  }
}

async function* streamed(create: () => Transform, bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const stream = create();
  stream.end(bytes);
  for await (const piece of stream) yield piece as Buffer;
}

/** Whether it was the memory that failed, and not the bytes: another time they can be unpacked. */
export function isOutOfMemory(thrown: unknown): boolean {
  return OUT_OF_MEMORY.has(codeOf(thrown));
}

const OUT_OF_MEMORY = new Set([
  'Z_MEM_ERROR',
  'ZSTD_error_memory_allocation',
  'ERR_MEMORY_ALLOCATION_FAILED',
]);

function codeOf(thrown: unknown): string {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
