import { UnpackOutput } from './unpack-output.ts';

/** "xerial", the frame of snappy-java: a magic and two version numbers, then blocks with their lengths before them. */
const XERIAL = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const XERIAL_BYTES = 16;

/**
 * Snappy, as Kafka's clients write it: a raw block, or blocks in the frame of snappy-java.
 * Source: google/snappy, format_description.txt; xerial/snappy-java, SnappyOutputStream.
 */
export function unpackSnappy(bytes: Buffer): Buffer {
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
