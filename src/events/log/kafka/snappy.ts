import { Output } from './unpacked.ts';

/**
 * Snappy, as Kafka's clients write it: raw blocks, or blocks in the frame of snappy-java ("xerial"): an 8-byte magic,
 * two version numbers, then blocks with their lengths before them.
 * Source: google/snappy, format_description.txt; xerial/snappy-java, SnappyOutputStream.
 * @throws {RangeError} where the bytes are damaged, or grow beyond `limit`.
 */
export function snappyDecompress(bytes: Buffer, limit: number): Buffer {
  const output = new Output(limit);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    readBlock(bytes, output);
    return output.bytes();
  }
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const length = bytes.readInt32BE(at);
    at += 4;
    readBlock(bytes.subarray(at, at + length), output);
    at += length;
  }
  return output.bytes();
}

const MAGIC = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const HEADER_BYTES = 16;

function readBlock(block: Buffer, output: Output): void {
  let at = 0;
  // The unpacked length stands first, as a varint; what follows says as much by itself.
  while (block.readUInt8(at) >= 0x80) at += 1;
  at += 1;
  while (at < block.length) {
    const tag = block.readUInt8(at);
    at += 1;
    if ((tag & 3) === 0) {
      const [length, size] = literal(block, at, tag >> 2);
      output.append(block, at + size, length);
      at += size + length;
    } else if ((tag & 3) === 1) {
      output.repeat(((tag >> 5) << 8) | block.readUInt8(at), ((tag >> 2) & 7) + 4);
      at += 1;
    } else {
      const size = (tag & 3) === 2 ? 2 : 4;
      output.repeat(block.readUIntLE(at, size), (tag >> 2) + 1);
      at += size;
    }
  }
}

/** How long a literal is, and how many bytes say so: a length of 60 or more stands in 1 to 4 bytes of its own. */
function literal(block: Buffer, at: number, stated: number): readonly [length: number, size: number] {
  if (stated < 60) return [stated + 1, 0];
  const size = stated - 59;
  return [block.readUIntLE(at, size) + 1, size];
}
