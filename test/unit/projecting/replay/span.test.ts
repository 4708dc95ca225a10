import { describe, expect, test } from 'vitest';

import type { LogRecord } from '../../../../src/events/log/port.ts';
import { UsageError } from '../../../../src/platform/errors.ts';
import type { History } from '../../../../src/projecting/replay/history.ts';
import { NONE } from '../../../../src/projecting/replay/decisions.ts';
import { recordsOf } from '../../../../src/projecting/replay/records.ts';
import { spanOf, type Bound, type Span } from '../../../../src/projecting/replay/span.ts';

/** Two partitions, by hand: the position and the time of each record. Position 11 is a hole. */
const TIMES: Readonly<Record<number, Readonly<Record<number, number>>>> = {
  0: { 10: 1000, 12: 3000, 13: 2000 },
  1: { 0: 500, 1: 2000, 2: 2500 },
};
const RECORDS = Object.entries(TIMES).flatMap(([partition, times]) =>
  Object.entries(times).map(([position, timestamp]) =>
    record(Number(partition), Number(position), timestamp),
  ),
);

function record(partition: number, position: number, timestamp: number): LogRecord {
  return { topic: 't', partition, position, timestamp, key: null, value: null, headers: {} };
}

const HISTORY: History = {
  partitions: [
    { topic: 't', partition: 0, earliest: 10, end: 14 },
    { topic: 't', partition: 1, earliest: 0, end: 3 },
    { topic: 'empty', partition: 0, earliest: 5, end: 5 },
  ],
  isCut: true,
  endsAt: 9000,
  read: async function* ({ topic, partition, end }, from) {
    const records = RECORDS.filter(
      (one) => one.topic === topic && one.partition === partition && one.position >= from,
    );
    // Batch by batch, the last one without a record.
    for (const one of records) yield { from: one.position, next: one.position + 1, records: [one] };
    yield { from: end, next: end, records: [] };
  },
};

function span(from: Bound | null, until: Bound | null): Promise<Span> {
  return spanOf(HISTORY, { from, until, signal: new AbortController().signal });
}

const time = (timestamp: number): Bound => ({ kind: 'time', timestamp });
const place = (partition: number, position: number, topic = 't'): Bound => ({
  kind: 'record',
  topic,
  partition,
  position,
});

describe('a bound', () => {
  test.each([
    [
      'a time holds what was appended then, wherever it stands',
      null,
      time(2000),
      ['0/10', '0/13', '1/0', '1/1'],
    ],
    ['a time from which on', time(2000), null, ['0/12', '0/13', '1/1', '1/2']],
    ['both', time(1000), time(2000), ['0/10', '0/13', '1/1']],
    // The one behind it is older by the log's time, and is not within all the same.
    [
      'a record goes by positions beside it, by its time elsewhere',
      null,
      place(0, 12),
      ['0/10', '0/12', '1/0', '1/1', '1/2'],
    ],
    ['a record from which on', place(1, 1), null, ['0/12', '0/13', '1/1', '1/2']],
    ['two records of one partition', place(1, 1), place(1, 1), ['0/13', '1/1']],
  ] as const)('%s', async (_rule, from, until, expected) => {
    const part = await span(from, until);
    const within = RECORDS.filter((one) => part.includes(one)).map(
      ({ partition, position }) => `${partition}/${position}`,
    );
    expect(within.toSorted()).toEqual(expected);
  });

  test('goes by the time of the first append where a record was restored', async () => {
    const restored = { ...record(0, 15, 8000), headers: { 'catalog-original-time': '2000' } };
    expect((await span(null, time(2000))).includes(restored)).toBe(true);
    expect((await span(null, time(1999))).includes(restored)).toBe(false);
  });

  test('keeps what lies behind it from being read: a record by its position, a time where the log can tell', async () => {
    const read = async (until: Bound, from: Bound | null, history = HISTORY): Promise<readonly string[]> => {
      const { signal } = new AbortController();
      const asked: string[] = [];
      const watched: History = {
        ...history,
        read: async function* (held, first, stop) {
          for await (const batch of history.read(held, first, stop)) {
            for (const { position } of batch.records) asked.push(`${held.partition}/${position}`);
            yield batch;
          }
        },
      };
      const part = await spanOf(watched, { from, until, signal });
      asked.splice(0);
      await Array.fromAsync(recordsOf(watched, { span: part, decisions: NONE, signal }));
      return asked;
    };
    expect(await read(place(0, 12), place(0, 12))).toEqual(['0/12', '1/0', '1/1', '1/2']);
    expect(await read(time(2000), null)).toHaveLength(6);
    const telling: History = {
      ...HISTORY,
      endOfTime: async ({ partition, end }) => (partition === 1 ? 1 : end),
    };
    expect(await read(time(2000), null, telling)).toEqual(['0/10', '0/12', '0/13', '1/0']);
    expect(await read(place(0, 12), null, telling)).toEqual(['0/10', '0/12', '1/0']);
    // Nothing of a partition may lie within.
    expect(await read(time(999), null, { ...telling, endOfTime: async () => 0 })).toEqual([]);
  });

  test('is told as it was understood', async () => {
    expect(await span(place(1, 0), time(2000))).toMatchObject({
      from: 't/1:0',
      until: '1970-01-01T00:00:02.000Z',
    });
    expect(await span(null, null)).toMatchObject({ from: null, until: null });
  });

  const RANGE = 'the records are from 1970-01-01T00:00:00.500Z to 1970-01-01T00:00:09.000Z.';
  test.each([
    [null, time(9001), `--until 1970-01-01T00:00:09.001Z is out of range: ${RANGE}`],
    [time(499), null, `--from 1970-01-01T00:00:00.499Z is out of range: ${RANGE}`],
    [null, place(0, 14), '--until t/0:14 is out of range: t/0 holds the positions 10 to 13.'],
    [null, place(0, 9), '--until t/0:9 is out of range: t/0 holds the positions 10 to 13.'],
    [null, place(0, 11), '--until: t/0 holds no record at position 11; the next record is t/0:12.'],
    [null, place(0, 5, 'empty'), '--until empty/0:5 is out of range: empty/0 holds nothing.'],
    [place(7, 1), null, '--from: there is no partition t/7. There are t/0 to t/1, empty/0 to empty/0.'],
    [place(0, 12), place(0, 10), '--from t/0:12 is later than --until t/0:10: nothing lies between.'],
    [
      time(2001),
      place(1, 1),
      '--from 1970-01-01T00:00:02.001Z is later than --until t/1:1: nothing lies between.',
    ],
  ])('out of range names the range: %j %j', async (from, until, message) => {
    await expect(span(from, until)).rejects.toThrow(new UsageError(message));
  });
});
