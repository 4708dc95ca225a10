import { Output } from './unpacked.ts';

/**
 * Snappy, as Kafka's clients write it: raw blocks, or blocks in the frame of snappy-java ("xerial"): an 8-byte magic,
 * two version numbers, then blocks with their lengths before them.
 * Source: google/snappy, format_description.txt; xerial/snappy-java, SnappyOutputStream.
 * @throws {RangeError} where the bytes are damaged.
 */
export function* snappyPieces(bytes: Buffer): Generator<Buffer, void, undefined> {
  const output = new Output(HISTORY_BYTES);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield* readBlock(bytes, output);
  } else {
    for (let at = HEADER_BYTES; at < bytes.length;) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length <= 0 || at + length > bytes.length)
        throw new RangeError('a compressed block has a length that cannot be');
      yield* readBlock(bytes.subarray(at, at + length), output);
      at += length;
    }
  }
  yield output.take();
}

const MAGIC = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const HEADER_BYTES = 16;
/** The format knows distances of four bytes; those who write it compress 64 KiB at a time, and never point further. */
const HISTORY_BYTES = 1024 * 1024;

function* readBlock(block: Buffer, output: Output): Generator<Buffer, void, undefined> {
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
      for (let left = length; left > 0;) {
        const written = output.append(block, at, left);
        at += written;
        left -= written;
        if (output.isFull) yield output.take();
      }
      continue;
    }
    const [distance, length, size] = repetition(block, at, tag);
    at += size;
    for (let left = length; left > 0;) {
      left -= output.repeat(distance, left);
      if (output.isFull) yield output.take();
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
