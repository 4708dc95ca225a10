import { UnpackOutput } from './unpack-output.ts';

const LZ4_MAGIC = 0x184d2204;
const LZ4_CONTENT_SIZE = 0x08;
const LZ4_BLOCK_CHECKSUM = 0x10;
const LZ4_DICTIONARY = 0x01;

/**
 * LZ4 frames, version 1.6.x, as Kafka's clients write them since 0.10 (KIP-57). Checksums are skipped: the one of the batch
 * that they stand in is checked.
 * Source: lz4/lz4, doc/lz4_Frame_format.md and doc/lz4_Block_format.md.
 */
export function unpackLz4(bytes: Buffer): Buffer {
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
