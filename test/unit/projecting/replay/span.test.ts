import { describe, expect, test } from 'vitest';

import type { LogRecord } from '../../../../src/events/log/port.ts';
import { UsageError } from '../../../../src/platform/errors.ts';
import { type History, spanOf, type Span } from '../../../../src/projecting/replay/history.ts';

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
  read: async function* ({ topic, partition, end }) {
    const records = RECORDS.filter((one) => one.topic === topic && one.partition === partition);
    // Batch by batch, the last one without a record.
    for (const one of records) yield { from: one.position, next: one.position + 1, records: [one] };
    yield { from: end, next: end, records: [] };
  },
};

function span(from: number | null, until: number | null): Promise<Span> {
  return spanOf(HISTORY, { from, until, now: 0, signal: new AbortController().signal });
}

describe('a bound', () => {
  test.each([
    ['holds what was appended then, wherever it stands', null, 2000, ['0/10', '0/13', '1/0', '1/1']],
    ['from which on', 2000, null, ['0/12', '0/13', '1/1', '1/2']],
    ['at both ends', 1000, 2000, ['0/10', '0/13', '1/1']],
  ] as const)('%s', async (_rule, from, until, expected) => {
    const part = await span(from, until);
    const within = RECORDS.filter((one) => part.includes(one)).map(
      ({ partition, position }) => `${partition}/${position}`,
    );
    expect(within.toSorted()).toEqual(expected);
  });

  test('goes by the time of the first append where a record was restored', async () => {
    const restored = { ...record(0, 15, 8000), headers: { 'catalog-original-time': '2000' } };
    expect((await span(null, 2000)).includes(restored)).toBe(true);
    expect((await span(null, 1999)).includes(restored)).toBe(false);
  });

  test('is told as it was understood', async () => {
    expect(await span(null, 2000)).toMatchObject({ from: null, until: '1970-01-01T00:00:02.000Z' });
  });

  const RANGE = 'the records are from 1970-01-01T00:00:00.500Z to 1970-01-01T00:00:09.000Z.';
  test.each([
    [null, 9001, `--until 1970-01-01T00:00:09.001Z is out of range: ${RANGE}`],
    [499, null, `--from 1970-01-01T00:00:00.499Z is out of range: ${RANGE}`],
    [
      2001,
      2000,
      '--from 1970-01-01T00:00:02.001Z is later than --until 1970-01-01T00:00:02.000Z: nothing lies between.',
    ],
  ])('out of range names the range: %j %j', async (from, until, message) => {
    await expect(span(from, until)).rejects.toThrow(new UsageError(message));
  });
});
