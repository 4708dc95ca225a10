import { describe, expect, test } from 'vitest';

import type { Batch, LogRecord, UnreadableRange } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import {
  encodeBatch,
  encodeMark,
  encodeOldMessage,
  sign,
  type BatchRecord,
} from '../../../support/record-batches.ts';
import { openScriptedLog, readAll, type ScriptedKafka } from '../../../support/scripted-kafka.ts';

const numbered = (count: number): BatchRecord[] =>
  Array.from({ length: count }, (_, delta) => ({ delta, value: Buffer.from(`value ${delta}`) }));

/** Three batches of five records; the middle one is what the test makes of it. */
function threeBatches(middle: (batch: Buffer) => Buffer): ScriptedKafka {
  const batches = [0, 5, 10].map((base) => ({ end: base + 5, bytes: encodeBatch(base, numbered(5)) }));
  return {
    batches: batches.map((batch, index) => (index === 1 ? { ...batch, bytes: middle(batch.bytes) } : batch)),
  };
}

/** What is left of those positions where the middle one is a range. */
const AROUND_THE_MIDDLE = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14];

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0x08, at);
  return copy;
};

async function read(kafka: ScriptedKafka, from = 0, to = kafka.batches.at(-1)?.end ?? 0) {
  await using log = openScriptedLog(kafka);
  return contentOf(await readAll(log, from, to), from, to);
}

/** What was read, once it is clear that the batches join on to each other from one end to the other. */
function contentOf(batches: readonly Batch[], from: number, to: number) {
  let next = from;
  const records: LogRecord[] = [];
  const unreadable: UnreadableRange[] = [];
  for (const batch of batches) {
    expect(batch.from).toBe(next);
    next = batch.next;
    records.push(...batch.records);
    unreadable.push(...(batch.unreadable ?? []));
  }
  expect(next).toBe(to);
  return {
    positions: records.map(({ position }) => position),
    values: records.map(({ value }) => value),
    ranges: unreadable.map((range) => [range.from, range.to]),
    codes: [...new Set(unreadable.map(({ code }) => code))],
    reasons: unreadable.map(({ reason }) => reason),
  };
}

describe('a batch whose checksum is wrong', () => {
  test('is never handed out: it is asked for again, and what comes then is', async () => {
    const kafka = threeBatches((batch) => batch);
    const bytes = Buffer.concat(kafka.batches.map((batch) => batch.bytes));
    const damaged = flipped(bytes, bytes.indexOf('value 3', bytes.indexOf('value 4')) + 6);
    const answer: ScriptedKafka['answer'] = (part, { count }) =>
      count === 1 ? { ...part, bytes: damaged } : part;
    const { values, ranges } = await read({ ...kafka, answer });
    expect(values.map(String)).toEqual(
      [0, 5, 10].flatMap(() => numbered(5).map(({ value }) => String(value))),
    );
    expect(ranges).toEqual([]);
  });

  test.each([
    ['in its records', 80, 'its checksum is wrong'],
    // Nothing that stands behind it can be found: the broker is asked until it gives something else.
    ['in its length', 11, 'its checksum is wrong'],
    ['in its last position', 25, 'its checksum is wrong'],
    // The checksum does not cover where a batch begins. Positions beyond the end of the log are not believed.
    ['in its first position', 3, 'it ends at 34359738377, and the log at 15'],
  ])(
    'and that stays damaged %s ends as its own range, and reading goes on behind it',
    async (_, at, said) => {
      const found = await read(threeBatches((batch) => flipped(batch, at)));
      expect(found).toMatchObject({ positions: AROUND_THE_MIDDLE, ranges: [[5, 10]], reasons: [said] });
    },
  );

  test('is read from another replica where the leader’s is damaged for good', async () => {
    const kafka = threeBatches((batch) => flipped(batch, 80));
    const sound = threeBatches((batch) => batch);
    const asked = new Set<number>();
    const answer: ScriptedKafka['answer'] = (part, { from, node }) => {
      asked.add(node);
      const left = sound.batches.filter(({ end }) => end > from);
      return node === 3 ? { ...part, bytes: Buffer.concat(left.map(({ bytes }) => bytes)) } : part;
    };
    const found = await read({ ...kafka, answer, others: [2, 3] });
    expect(found.positions).toHaveLength(15);
    expect(found.ranges).toEqual([]);
    expect(asked).toEqual(new Set([1, 2, 3]));
  });

  test('and that was cut so that it swallows exactly the batch behind it does not take that one along', async () => {
    const swallowed = encodeBatch(5, numbered(1));
    const whole = encodeBatch(0, [{ delta: 4, value: Buffer.alloc(swallowed.length + 9) }]);
    const cut = whole.subarray(0, -swallowed.length);
    const batches = [
      { end: 5, bytes: cut },
      { end: 6, bytes: swallowed },
      { end: 11, bytes: encodeBatch(6, numbered(5)) },
    ];
    const found = await read({ batches });
    expect(found.ranges).toEqual([[0, 5]]);
    expect(found.positions).toEqual([5, 6, 7, 8, 9, 10]);
  });

  test('at the end of the log does not keep what comes later from being read', async () => {
    const kafka = threeBatches((batch) => batch);
    const [one, two, three] = kafka.batches;
    if (!one || !two || !three) throw new Error('three were made');
    const found = await read({ batches: [one, two, { ...three, bytes: flipped(three.bytes, 100) }] });
    expect(found.ranges).toEqual([[10, 15]]);
  });

  test('that the broker itself does not give out is stepped over', async () => {
    const answer: ScriptedKafka['answer'] = (part, { from }) =>
      from >= 5 && from < 10 ? { errorCode: 2, bytes: Buffer.alloc(0) } : part;
    const found = await read({ ...threeBatches((batch) => batch), answer, answerBytes: 1 });
    expect(found).toMatchObject({ positions: AROUND_THE_MIDDLE, ranges: [[5, 10]] });
  });

  test('is not given up where the broker gives nothing at all: that is retryable', async () => {
    const answer: ScriptedKafka['answer'] = () => ({ errorCode: 2, bytes: Buffer.alloc(0) });
    await expect(read({ ...threeBatches((batch) => batch), answer })).rejects.toThrow(RetryableError);
  });
});

/** The checksum does not cover where a batch begins. */
const movedBy = (bytes: Buffer, by: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeBigInt64BE(copy.readBigInt64BE(0) + BigInt(by), 0);
  return copy;
};

describe('a batch that says that it begins elsewhere', () => {
  test('and overlaps the one behind it is a range, and no record of either is served at another position', async () => {
    const found = await read(threeBatches((batch) => movedBy(batch, 3)));
    expect(found).toMatchObject({ positions: AROUND_THE_MIDDLE, ranges: [[5, 10]] });
    expect(found.reasons).toEqual(['it overlaps the batch at 10']);
  });

  test.each([3, 5, 7])(
    'by %i, by which its broker finds it too, takes what it overlaps along',
    async (by) => {
      const last = { end: 25, bytes: encodeBatch(15, numbered(10)) };
      const batches = [...threeBatches((batch) => movedBy(batch, by)).batches, last];
      const endOf = (bytes: Buffer): number => Number(bytes.readBigInt64BE(0)) + bytes.readInt32BE(23) + 1;
      const answer: ScriptedKafka['answer'] = (part, { from }) => {
        const left = batches.slice(batches.findIndex(({ bytes }) => endOf(bytes) > from));
        return { ...part, bytes: Buffer.concat(left.map(({ bytes }) => bytes)) };
      };
      const found = await read({ batches, answer });
      const rest = Array.from({ length: 15 - by }, (_, index) => 10 + by + index);
      expect(found.positions).toEqual([0, 1, 2, 3, 4, ...rest]);
      expect(found.values.map(String)).toEqual(
        found.positions.map((position) => `value ${position < 15 ? position % 5 : position - 15}`),
      );
      expect(found.ranges).toEqual([
        [5, 10],
        [10, 10 + by],
      ]);
    },
  );
});

const LEGITIMATE = 200 * 1024;

describe('a batch that unpacks to much', () => {
  test.each([1, 2, 3, 4])('is read to its end, in several parts, under codec %d', async (codec) => {
    const value = Buffer.alloc(LEGITIMATE, 'a');
    const records = Array.from({ length: 340 }, (_, delta) => ({ delta, key: Buffer.from('k'), value }));
    const bytes = encodeBatch(0, records, { codec });
    await using log = openScriptedLog({ batches: [{ end: 340, bytes }] });
    const batches = await readAll(log, 0, 340);
    const found = contentOf(batches, 0, 340);
    expect(found.positions).toEqual(records.map(({ delta }) => delta));
    expect(found.values.every((one) => one !== null && value.equals(one))).toBe(true);
    expect(found.ranges).toEqual([]);
    const sizes = batches.map((batch) =>
      batch.records.reduce((sum, record) => sum + (record.value?.length ?? 0), 0),
    );
    expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024);
  });

  test('can be read on from any position inside it', async () => {
    const value = Buffer.alloc(LEGITIMATE, 'a');
    const bytes = encodeBatch(
      0,
      Array.from({ length: 340 }, (_, delta) => ({ delta, value })),
      { codec: 4 },
    );
    const found = await read({ batches: [{ end: 340, bytes }] }, 333);
    expect(found.positions).toEqual([333, 334, 335, 336, 337, 338, 339]);
  });

  test('each record in it that is larger than any that is read is left out by its position alone', async () => {
    const large = 30 * 1024 * 1024;
    const records = [1, large, large, 1].map((length, delta) => ({ delta, value: Buffer.alloc(length) }));
    const found = await read({ batches: [{ end: 4, bytes: encodeBatch(0, records, { codec: 4 }) }] });
    const ranges = [1, 2].map((position) => [position, position + 1]);
    expect(found).toMatchObject({ positions: [0, 3], ranges, codes: ['too_large'] });
  });

  test('and unpacks to more than is held at once is a range', async () => {
    const values = Array.from({ length: 3 }, () => Buffer.alloc(40 * 1024 * 1024));
    const records = values.map((value, delta) => ({ delta, value }));
    const found = await read({ batches: [{ end: 3, bytes: encodeBatch(0, records, { codec: 4 }) }] });
    expect(found).toMatchObject({ positions: [], ranges: [[0, 3]], codes: ['unreadable'] });
  });
});

describe('a batch whose checksum is right and whose content is wrong', () => {
  const readMiddle = (bytes: Buffer) => read(threeBatches(() => bytes));

  test.each<[string, Buffer, number[]]>([
    ['an unknown codec', encodeBatch(5, numbered(5), { codec: 7 }), []],
    [
      'a damaged gzip stream',
      encodeBatch(5, numbered(5), { codec: 1, change: (body) => body.subarray(0, -9) }),
      [],
    ],
    [
      'a damaged LZ4 frame',
      encodeBatch(5, numbered(5), { codec: 3, change: (body) => body.subarray(0, 20) }),
      [],
    ],
    ['more records than it has', encodeBatch(5, numbered(4), { count: 5, lastDelta: 4 }), [5, 6, 7, 8]],
    ['fewer records than it has', encodeBatch(5, numbered(5), { count: 3 }), [5, 6, 7]],
    ['no record, though it has some', encodeBatch(5, numbered(5), { count: 0 }), []],
    ['fewer than no records', encodeBatch(5, numbered(5), { count: -1 }), []],
    [
      'positions that do not rise',
      encodeBatch(
        5,
        numbered(5).map((record) => ({ ...record, delta: 2 })),
        { lastDelta: 4 },
      ),
      [7],
    ],
    ['records from before Kafka 0.11', encodeOldMessage(9, Buffer.from('old')), []],
  ])('ends as a range from where it goes wrong: %s', async (_, bytes, handedOut) => {
    const found = await readMiddle(bytes);
    expect(found.positions).toEqual([0, 1, 2, 3, 4, ...handedOut, 10, 11, 12, 13, 14]);
    const missing = [5, 6, 7, 8, 9].find(
      (position) => !handedOut.includes(position) && position > (handedOut.at(-1) ?? 0),
    );
    expect(found.ranges).toEqual([[missing, 10]]);
  });

  test.each<[string, (mark: Buffer) => Buffer]>([
    ['is damaged', (mark) => Buffer.concat([mark.subarray(0, 61), Buffer.alloc(mark.length - 61, 0xff)])],
    ['says that it is empty', (mark) => (mark.writeInt32BE(0, 57), mark)],
  ])('an end of a transaction that %s gives up no other one', async (_, change) => {
    const broken = sign(change(encodeMark(1, 7n, 'abort')));
    const kafka = {
      batches: [
        { end: 1, bytes: encodeBatch(0, numbered(1), { isTransactional: true, producerId: 7n }) },
        { end: 2, bytes: broken },
        { end: 3, bytes: encodeBatch(2, numbered(1), { isTransactional: true, producerId: 7n }) },
      ],
    };
    const abortedFrom = (from: number) => (from < 2 ? [{ producerId: 7n, firstOffset: 0 }] : []);
    const found = await read({ ...kafka, abortedFrom });
    expect(found).toMatchObject({ positions: [2], ranges: [[1, 2]] });
  });
});
