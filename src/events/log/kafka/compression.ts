import { gunzipSync, zstdDecompressSync } from 'node:zlib';

import { codeOf } from '../../../platform/errors.ts';

/** What a batch unpacks to at most, in bytes: a broker takes a mebibyte unless told otherwise, and Zstandard makes 32 GiB of that. */
export const UNPACKED_BYTES = 96 * 1024 * 1024;

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

function tooMuch(): RangeError {
  return new RangeError(`its records unpack to more than ${UNPACKED_BYTES} bytes`);
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

/** "xerial", the frame of snappy-java: a magic and two version numbers, then blocks with their lengths before them. */
const XERIAL = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const XERIAL_BYTES = 16;

/**
 * Snappy, as Kafka's clients write it: a raw block, or blocks in the frame of snappy-java.
 * Source: google/snappy, format_description.txt; xerial/snappy-java, SnappyOutputStream.
 */
function unpackSnappy(bytes: Buffer): Buffer {
  const output = new UnpackOutput();
  if (!bytes.subarray(0, XERIAL.length).equals(XERIAL)) {
    unpackSnappyBlock(bytes, output);
    return output.bytes;
  }
  for (let at = XERIAL_BYTES; at < bytes.length;) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length <= 0 || at + length > bytes.length)
      throw new RangeError('a compressed block has a length that cannot be');
    unpackSnappyBlock(bytes.subarray(at, at + length), output);
    at += length;
  }
  return output.bytes;
}

function unpackSnappyBlock(block: Buffer, output: UnpackOutput): void {
  let at = 0;
  const next = (size: number): number => {
    at += size;
    return block.readUIntLE(at - size, size);
  };
  // The unpacked length stands first, as a varint; what follows says as much by itself.
  while (next(1) >= 0x80);
  while (at < block.length) {
    const tag = block.readUInt8(at);
    at += 1;
    const stated = tag >> 2;
    switch (tag & 3) {
      case 0: {
        // A length of more than 60 stands in 1 to 4 bytes of its own.
        const length = (stated < 60 ? stated : next(stated - 59)) + 1;
        output.append(block, at, length);
        at += length;
        break;
      }
      case 1:
        output.repeat(((tag >> 5) << 8) | block.readUInt8(at), (stated & 7) + 4);
        at += 1;
        break;
      case 2:
        output.repeat(next(2), stated + 1);
        break;
      default:
        output.repeat(next(4), stated + 1);
    }
  }
}

const LZ4_MAGIC = 0x184d2204;
const LZ4_CONTENT_SIZE = 0x08;
const LZ4_BLOCK_CHECKSUM = 0x10;
const LZ4_DICTIONARY = 0x01;

/**
 * LZ4 frames, version 1.6.x, as Kafka's clients write them since 0.10 (KIP-57). Checksums are skipped: the one of the batch
 * that they stand in is checked.
 * Source: lz4/lz4, doc/lz4_Frame_format.md and doc/lz4_Block_format.md.
 */
function unpackLz4(bytes: Buffer): Buffer {
  if (bytes.readUInt32LE(0) !== LZ4_MAGIC) throw new RangeError('the compressed records are no LZ4 frame');
  const flags = bytes.readUInt8(4);
  // Magic, flags, block size and header checksum; a content size and a dictionary's id stand there if the flags say so.
  let at = 7 + (flags & LZ4_CONTENT_SIZE ? 8 : 0) + (flags & LZ4_DICTIONARY ? 4 : 0);
  const output = new UnpackOutput();
  for (;;) {
    const stated = bytes.readUInt32LE(at);
    at += 4;
    if (stated === 0) return output.bytes;
    const length = stated & 0x7fffffff;
    if (at + length > bytes.length) throw new RangeError('the compressed records end too early');
    if (stated >>> 31) output.append(bytes, at, length);
    else unpackLz4Block(bytes.subarray(at, at + length), output);
    at += length + (flags & LZ4_BLOCK_CHECKSUM ? 4 : 0);
  }
}

/** A block is a row of sequences: literals, then a repetition. The last one has literals alone. */
function unpackLz4Block(block: Buffer, output: UnpackOutput): void {
  let at = 0;
  /** A length of 15 goes on in further bytes, as long as those are 255. */
  const length = (stated: number): number => {
    let sum = stated;
    for (let more = stated === 15 ? 255 : 0; more === 255; sum += more) {
      more = block.readUInt8(at);
      at += 1;
    }
    return sum;
  };
  while (at < block.length) {
    const token = block.readUInt8(at);
    at += 1;
    const literals = length(token >> 4);
    output.append(block, at, literals);
    at += literals;
    if (at >= block.length) return;
    const distance = block.readUInt16LE(at);
    at += 2;
    output.repeat(distance, length(token & 15) + 4);
  }
}

/** What a decompressor writes: bytes of its source, and repetitions of what it has written. */
class UnpackOutput {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @throws {RangeError} where the source does not reach that far, or there would be too much. */
  append(source: Buffer, from: number, length: number): void {
    if (from + length > source.length) throw new RangeError('the compressed records end too early');
    this.#makeRoom(length);
    source.copy(this.#bytes, this.#length, from, from + length);
    this.#length += length;
  }

  /** Writes again what was written `distance` bytes ago; a distance below `length` repeats what it writes. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length)
      throw new RangeError('the compressed records point to where nothing is');
    this.#makeRoom(length);
    const from = this.#length - distance;
    const end = this.#length + length;
    // What stands there is doubled with each copy.
    while (this.#length < end) {
      const size = Math.min(end - this.#length, this.#length - from);
      this.#bytes.copyWithin(this.#length, from, from + size);
      this.#length += size;
    }
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed > UNPACKED_BYTES) throw tooMuch();
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
