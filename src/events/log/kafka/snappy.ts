import { UnpackOutput } from './unpack-output.ts';

/**
 * Snappy, as Kafka's clients write it: raw blocks, or blocks in the frame of snappy-java ("xerial"): an 8-byte magic,
 * two version numbers, then blocks with their lengths before them.
 * Source: google/snappy, format_description.txt; xerial/snappy-java, SnappyOutputStream.
 * @throws {RangeError} where the bytes are damaged, or unpack to too much.
 */
export function unpackSnappy(bytes: Buffer): Buffer {
  const output = new UnpackOutput();
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    unpackBlock(bytes, output);
  } else {
    for (let at = HEADER_BYTES; at < bytes.length;) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length <= 0 || at + length > bytes.length)
        throw new RangeError('a compressed block has a length that cannot be');
      unpackBlock(bytes.subarray(at, at + length), output);
      at += length;
    }
  }
  return output.bytes;
}

const MAGIC = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const HEADER_BYTES = 16;

function unpackBlock(block: Buffer, output: UnpackOutput): void {
  let at = 0;
  // The unpacked length stands first, as a varint; what follows says as much by itself.
  while (block.readUInt8(at) >= 0x80) at += 1;
  at += 1;
  while (at < block.length) {
    const tag = block.readUInt8(at);
    at += 1;
    if ((tag & 3) === 0) {
      const [length, size] = literal(block, at, tag >> 2);
      at += size;
      output.append(block, at, length);
      at += length;
    } else {
      const [distance, length, size] = repetition(block, at, tag);
      at += size;
      output.repeat(distance, length);
    }
  }
}

/** How long a literal is, and how many bytes say so: a length of 60 or more stands in 1 to 4 bytes of its own. */
function literal(block: Buffer, at: number, stated: number): readonly [length: number, size: number] {
  if (stated < 60) return [stated + 1, 0];
  const size = stated - 59;
  return [block.readUIntLE(at, size) + 1, size];
}

function repetition(
  block: Buffer,
  at: number,
  tag: number,
): readonly [distance: number, length: number, size: number] {
  if ((tag & 3) === 1) return [((tag >> 5) << 8) | block.readUInt8(at), ((tag >> 2) & 7) + 4, 1];
  const size = (tag & 3) === 2 ? 2 : 4;
  return [block.readUIntLE(at, size), (tag >> 2) + 1, size];
}
