import { describe, expect, test } from 'vitest';

import { decompress, UNPACKED_BYTES } from '../../../../src/events/log/kafka/compression.ts';
import { lz4Decompress } from '../../../../src/events/log/kafka/lz4.ts';
import { decodeBatches } from '../../../../src/events/log/kafka/record-batches.ts';
import { snappyDecompress } from '../../../../src/events/log/kafka/snappy.ts';

const PLACE = { topic: 't', partition: 0 };

/** A batch without records, as compaction leaves it behind. */
function emptyBatch(baseOffset: number, lastOffsetDelta: number): Buffer {
  const batch = Buffer.alloc(61);
  batch.writeBigInt64BE(BigInt(baseOffset), 0);
  batch.writeInt32BE(49, 8);
  batch.writeInt8(2, 16);
  batch.writeInt32BE(lastOffsetDelta, 23);
  return batch;
}

describe('batches of records', () => {
  test('a batch that compaction has emptied is a hole that reading goes over', () => {
    expect(decodeBatches(emptyBatch(10, 4), PLACE, [])).toEqual({ records: [], next: 15 });
  });

  test('so is the mark of a transaction’s end, where that is what was emptied', () => {
    const mark = emptyBatch(10, 4);
    const [transactional, control] = [0x10, 0x20];
    mark.writeInt16BE(transactional | control, 21);
    expect(decodeBatches(mark, PLACE, [])).toEqual({ records: [], next: 15 });
  });

  test('a batch that is cut at the end of a fetch is left for the next one', () => {
    const bytes = Buffer.concat([emptyBatch(10, 4), emptyBatch(15, 2).subarray(0, 40)]);
    expect(decodeBatches(bytes, PLACE, [])).toEqual({ records: [], next: 15 });
    expect(decodeBatches(emptyBatch(15, 2).subarray(0, 40), PLACE, [])).toEqual({ records: [], next: null });
  });

  test('records from before Kafka 0.11 are refused with what to do', () => {
    const old = emptyBatch(0, 0);
    old.writeInt8(1, 16);
    expect(() => decodeBatches(old, PLACE, [])).toThrow('written anew');
  });
});

/** The beginning of each codec's stream, that what follows is read at all. */
const DAMAGED: Readonly<Record<number, Buffer>> = {
  1: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
  // A repetition of something before the beginning.
  2: Buffer.from([8, 1, 9]),
  3: Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, 4, 0, 0, 0, 0, 9, 9, 9]),
  4: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
};

describe('compressed records', () => {
  test('repetitions of what is being written are followed', () => {
    // The literal "ab", then six bytes from two bytes back.
    const snappy = Buffer.from([8, (2 - 1) << 2, 0x61, 0x62, ((6 - 4) << 2) | 1, 2]);
    expect(snappyDecompress(snappy, UNPACKED_BYTES).toString()).toBe('abababab');
    const block = Buffer.from([0x22, 0x61, 0x62, 2, 0, 0x10, 0x63]);
    const frame = Buffer.concat([
      Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, block.length, 0, 0, 0]),
      block,
      Buffer.alloc(4),
    ]);
    expect(lz4Decompress(frame, UNPACKED_BYTES).toString()).toBe('ababababc');
  });

  test.each([1, 2, 3, 4, 7])('damaged bytes under codec %d are an error, never a loop', (codec) => {
    for (let length = 0; length < 40; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 151 + length * 7 + 130) % 256));
      expect(() => decompress(codec, Buffer.concat([DAMAGED[codec] ?? bytes, bytes]))).toThrow(Error);
    }
  });

  test('what unpacks to more than the bound is refused', () => {
    const bomb = Buffer.from([
      8,
      (2 - 1) << 2,
      0x61,
      0x62,
      ...Array.from({ length: 20 }, () => [((11 - 4) << 2) | 1, 2]).flat(),
    ]);
    expect(() => snappyDecompress(bomb, 100)).toThrow('more than 100 bytes');
  });
});
