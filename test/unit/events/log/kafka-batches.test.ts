import { describe, expect, test } from 'vitest';

import { unpack } from '../../../../src/events/log/kafka/unpack-by-codec.ts';
import { UNPACKED_BYTES } from '../../../../src/events/log/kafka/unpack-output.ts';
import { committedRecords } from '../../../../src/events/log/kafka/committed-records.ts';
import { crc32c, scanBatches } from '../../../../src/events/log/kafka/record-batches.ts';
import { FetchBuffer, recordsBelow } from '../../../../src/events/log/kafka/fetch-buffer.ts';
import { lz4, snappy } from '../../../support/packing.ts';
import { encodeBatch, encodeMark, pack } from '../../../support/record-batches.ts';

/** What stands in these bytes, asked for from `from` on. */
function recordsIn(bytes: Buffer, from: number, readable = -1): FetchBuffer {
  const { batches } = scanBatches(bytes, from, -1);
  const items = committedRecords(batches, { topic: 't', partition: 0, from, aborted: [] });
  return new FetchBuffer(from, items, readable);
}

/** A batch without records, as compaction leaves it behind. */
function emptyBatch(baseOffset: number, lastDelta: number, isControl = false): Buffer {
  return encodeBatch(baseOffset, [], { lastDelta, isControl, isTransactional: isControl });
}

describe('batches of records', () => {
  test('a batch that compaction has emptied is a hole that reading goes over', () => {
    expect(recordsIn(emptyBatch(10, 4), 10).take()).toEqual({ from: 10, next: 15, records: [] });
  });

  test('so is the mark of a transaction’s end, whether that is what was emptied or not', () => {
    expect(recordsIn(emptyBatch(10, 4, true), 10).take()).toEqual({ from: 10, next: 15, records: [] });
    expect(recordsIn(encodeMark(10, 7n, 'commit'), 10).take()).toEqual({ from: 10, next: 11, records: [] });
  });

  test('whether more can be read behind them is known where the broker says where reading ends', () => {
    const at = (readable: number) => recordsIn(emptyBatch(10, 4), 10, readable).take().more;
    expect([at(15), at(16), at(-1)]).toEqual([false, true, undefined]);
  });

  test('a batch that is cut at the end of a fetch is left for the next one', () => {
    const bytes = Buffer.concat([emptyBatch(10, 4), emptyBatch(15, 2).subarray(0, 40)]);
    expect(recordsIn(bytes, 10).take()).toEqual({ from: 10, next: 15, records: [] });
    const cut = scanBatches(emptyBatch(15, 2).subarray(0, 40), 15, -1);
    expect(cut).toMatchObject({ batches: [], fault: { to: null } });
  });
});

describe('what is handed out in parts', () => {
  const damaged = encodeBatch(13, [{ delta: 0, value: null }], { count: 2, lastDelta: 4 });
  const bytes = Buffer.concat([
    encodeBatch(
      10,
      [0, 2].map((delta) => ({ delta, value: Buffer.from('v') })),
    ),
    damaged,
  ]);

  test('has each record and each position that cannot be read in one of them', () => {
    const records = recordsIn(bytes, 10);
    const [one, two, three] = [records.take(1), records.take(1), records.take(1)];
    expect([one, two, three].map(({ from, next }) => [from, next])).toEqual([
      [10, 11],
      [11, 13],
      [13, 18],
    ]);
    expect(records.isOver).toBe(true);
    expect(three).toMatchObject({ records: [{ position: 13 }], unreadable: [{ from: 14, to: 18 }] });
  });

  test('ends where it is wanted to, inside of what cannot be read too', () => {
    const whole = recordsIn(bytes, 10).take();
    expect(recordsBelow(whole, 16)).toMatchObject({ next: 16, unreadable: [{ from: 14, to: 16 }] });
    expect(recordsBelow(whole, 12)).toEqual({ from: 10, next: 12, records: [expect.anything()] });
  });
});

describe('what is handed out at once', () => {
  test('has something in it, also behind a batch of records that has filled the one before', () => {
    const value = Buffer.alloc(5 * 1024 * 1024);
    const whole = recordsIn(encodeBatch(10, [{ delta: 0, value }]), 10);
    expect(whole.take()).toMatchObject({ from: 10, next: 11 });
    expect(whole.isOver).toBe(true);
    const broken = encodeBatch(10, [{ delta: 0, value }], { count: 2, lastDelta: 4 });
    const inParts = recordsIn(broken, 10);
    expect(inParts.take()).toMatchObject({ from: 10, next: 11 });
    expect(inParts.take()).toMatchObject({ from: 11, next: 15 });
    expect(inParts.isOver).toBe(true);
  });

  test('tells of batches in a row that cannot be read for one reason as of one range', () => {
    const broken = [10, 12, 14].map((at) => encodeBatch(at, [], { codec: 7, count: 1, lastDelta: 1 }));
    const other = encodeBatch(16, [{ delta: 0, value: null }], { count: -1 });
    const { unreadable = [] } = recordsIn(Buffer.concat([...broken, other]), 10).take();
    expect(unreadable.map(({ from, to }) => [from, to])).toEqual([
      [10, 16],
      [16, 17],
    ]);
    expect(unreadable[0]?.bytes).toEqual(broken[0]);
  });
});

// RFC 3720, appendix B.4.
const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);
test.each([
  ['32 bytes of zeroes', Buffer.alloc(32), 0x8a9136aa],
  ['32 bytes of ones', Buffer.alloc(32, 0xff), 0x62a8ab43],
  ['32 bytes that rise', Buffer.from(ascending), 0x46dd794e],
  ['32 bytes that fall', Buffer.from(ascending.toReversed()), 0x113fdb5c],
  ['the digits 1 to 9', Buffer.from('123456789'), 0xe3069283],
  ['nothing', Buffer.alloc(0), 0],
])('the checksum of %s is that of CRC-32C', (_, bytes, expected) => {
  expect(crc32c(bytes)).toBe(expected);
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
    const raw = Buffer.from([8, (2 - 1) << 2, 0x61, 0x62, ((6 - 4) << 2) | 1, 2]);
    expect(String(unpack(2, raw))).toBe('abababab');
    const block = Buffer.from([0x22, 0x61, 0x62, 2, 0, 0x10, 0x63]);
    const frame = Buffer.concat([
      Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0, block.length, 0, 0, 0]),
      block,
      Buffer.alloc(4),
    ]);
    expect(String(unpack(3, frame))).toBe('ababababc');
  });

  test.each([1, 2, 3, 4])('what unpacks to too much under codec %d is an error', (codec) => {
    const packed = pack(codec, Buffer.alloc(UNPACKED_BYTES + 1));
    expect(() => unpack(codec, packed)).toThrow('unpack to more than');
  });

  test('what is long comes back as it was, whatever it repeats', () => {
    const words = Array.from({ length: 300_000 }, (_, index) => `${(index * 7919) % 1013}-`).join('');
    const bytes = Buffer.from(`${words}${'x'.repeat(3_000_000)}${words}`);
    expect(unpack(2, snappy(bytes)).equals(bytes)).toBe(true);
    expect(unpack(3, lz4(bytes)).equals(bytes)).toBe(true);
  });

  test.each([1, 2, 3, 4, 7])('damaged bytes under codec %d are an error, never a loop', (codec) => {
    for (let length = 0; length < 40; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 151 + length * 7 + 130) % 256));
      const damaged = Buffer.concat([DAMAGED[codec] ?? bytes, bytes]);
      expect(() => unpack(codec, damaged)).toThrow(Error);
    }
  });
});
