import { describe, expect, test } from 'vitest';

import { partitionOf } from '../../src/events/log/partitioner.ts';
import type { NewRecord, Place } from '../../src/events/log/port.ts';
import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import {
  eventually,
  freshName,
  freshTopic,
  type LogFixture,
  numbered,
  openLog,
  openTopic,
  positionsOf,
  readBatches,
  readTopic,
  textOf,
  textRecord,
} from '../support/log-fixture.ts';

/** Topics, appending and ends; a storage that does not answer; disposal. */
export function logRecordsContract(fixture: () => LogFixture): void {
  describe('topics', () => {
    test('a topic has the partitions that it was created with', async () => {
      const { log, topic } = await openTopic(fixture(), 3);
      expect(await log.partitionCount(topic)).toBe(3);
      expect(await log.ends(topic)).toEqual(
        [0, 1, 2].map((partition) => ({ partition, earliest: 0, latest: 0 })),
      );
    });

    test('ensuring a topic that exists changes nothing, whatever is asked for', async () => {
      const { log, topic } = await openTopic(fixture(), 2);
      await log.append([textRecord(topic, 'a', 'kept')]);
      await log.ensureTopics([{ name: topic, partitions: 5, retentionMs: 1 }]);
      expect(await log.partitionCount(topic)).toBe(2);
      expect((await readTopic(log, topic)).map(textOf)).toEqual(['kept']);
    });

    test('a topic says how many partitions it has and how long its records are kept', async () => {
      const log = await openLog(fixture());
      const [kept, expiring] = [freshName(), freshName()];
      await log.ensureTopics([
        { name: kept, partitions: 1, retentionMs: null },
        { name: expiring, partitions: 2, retentionMs: 86_400_000 },
      ]);
      expect(await log.topicSettings(kept)).toMatchObject({ partitions: 1, retentionMs: null, remarks: [] });
      expect(await log.topicSettings(expiring)).toMatchObject({
        partitions: 2,
        retentionMs: 86_400_000,
        remarks: [],
      });
      expect(await log.topicSettings(freshName())).toBeNull();
    });

    test('two clients may ensure the same topics at once', async () => {
      const clients = await Promise.all([openLog(fixture()), openLog(fixture())]);
      const specs = [1, 2].map((partitions) => ({ name: freshName(), partitions, retentionMs: null }));
      await Promise.all(clients.map((client) => client.ensureTopics(specs)));
      const counts = await Promise.all(specs.map(({ name }) => clients[0].partitionCount(name)));
      expect(counts).toEqual([1, 2]);
    });

    test('a topic that does not exist has no partitions and no ends', async () => {
      const log = await openLog(fixture());
      expect(await log.partitionCount(freshName())).toBe(0);
      expect(await log.ends(freshName())).toEqual([]);
    });
  });

  describe('append', () => {
    test('every record of a long append gets a place, in the order given', async () => {
      const { log, topic } = await openTopic(fixture(), 3);
      const texts = Array.from({ length: 5000 }, (_, index) => String(index));
      const places = await log.append(
        texts.map((text) => textRecord(topic, `key-${Number(text) % 10}`, text)),
      );
      const found = new Map((await readTopic(log, topic)).map((record) => [placeOf(record), textOf(record)]));
      expect(places.map((place) => found.get(placeOf(place)))).toEqual(texts);
      for (const [, inOne] of Map.groupBy(places, ({ partition }) => partition))
        expect(positionsOf(inOne)).toEqual(positionsOf(inOne).toSorted((a, b) => a - b));
    });

    test('records of one key stand in the partition of that key, in the order of their appends', async () => {
      const { log, topic } = await openTopic(fixture(), 4);
      for (const text of ['1', '2', '3']) {
        await log.append(['новости', 'ai-news', 'bots'].map((key) => textRecord(topic, key, text)));
      }
      const records = await readTopic(log, topic);
      for (const key of ['новости', 'ai-news', 'bots']) {
        const own = records.filter((record) => record.key === key);
        expect(own.map(textOf)).toEqual(['1', '2', '3']);
        expect(own.map(({ partition }) => partition)).toEqual(own.map(() => partitionOf(key, 4)));
      }
    });

    test.each<[string, Omit<NewRecord, 'topic'>]>([
      ['no key', { key: null, value: Buffer.from('text'), headers: {} }],
      ['no value', { key: 'k', value: null, headers: {} }],
      ['an empty value', { key: 'k', value: new Uint8Array(0), headers: {} }],
      ['every byte', { key: 'k', value: Uint8Array.from({ length: 256 }, (_, byte) => byte), headers: {} }],
      [
        'a view into a larger buffer',
        { key: 'k', value: Buffer.from('[inner]').subarray(1, 6), headers: {} },
      ],
      ['the largest record allowed', { key: 'k', value: new Uint8Array(250 * 1024).fill(7), headers: {} }],
      [
        'headers',
        { key: 'k', value: null, headers: { ce_type: 'a.b.v1', 'content-type': 'application/json' } },
      ],
      [
        'letters of any script',
        { key: 'ключ 🔑', value: Buffer.from('значение'), headers: { имя: 'ж"\\\n' } },
      ],
    ])('a record with %s comes back as it was', async (_, content) => {
      const { log, topic } = await openTopic(fixture());
      await log.append([{ topic, ...content }]);
      const [record] = await readTopic(log, topic);
      expect(record).toMatchObject({ topic, partition: 0, key: content.key, headers: content.headers });
      expect(bytesOf(record?.value)).toEqual(bytesOf(content.value));
      expect(Object.keys(record?.headers ?? {})).toHaveLength(Object.keys(content.headers).length);
    });

    test('a timestamp is the time of the append, and never falls within a partition', async () => {
      const { log, topic } = await openTopic(fixture());
      const before = Date.now();
      for (const text of ['1', '2', '3']) await log.append([textRecord(topic, 'k', text)]);
      const timestamps = (await readTopic(log, topic)).map(({ timestamp }) => timestamp);
      expect(timestamps).toHaveLength(3);
      expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
      // The log's clock is another machine's: half a minute of difference is no fault.
      expect(Math.abs((timestamps[0] ?? 0) - before)).toBeLessThan(30_000);
    });

    test('an append of nothing is nothing', async () => {
      const log = await openLog(fixture());
      expect(await log.append([])).toEqual([]);
    });

    test('several clients append at once, and nothing is lost or out of its own order', async () => {
      const clients = await Promise.all([0, 1, 2].map(() => openLog(fixture())));
      const topic = await freshTopic(await openLog(fixture()), 2);
      await Promise.all(
        clients.map(async (client, writer) => {
          for (let index = 0; index < 10; index += 1) {
            await client.append(
              [0, 1, 2].map((part) => textRecord(topic, `w${writer}`, String(index * 3 + part))),
            );
          }
        }),
      );
      const records = await readTopic(await openLog(fixture()), topic);
      expect(records).toHaveLength(90);
      for (const key of ['w0', 'w1', 'w2']) {
        const texts = records.filter((record) => record.key === key).map(textOf);
        expect(texts).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
      }
    });

    test('a topic that does not exist is refused with what to do, at once or after some patience', async () => {
      const log = await openLog(fixture());
      await expect(log.append([textRecord(freshName(), 'k', 'text')])).rejects.toThrow(/Create it first/);
    });
  });

  test('the latest position of a partition is the one that the next record gets, seen by every client', async () => {
    const [writer, reader] = await Promise.all([openLog(fixture()), openLog(fixture())]);
    const topic = await freshTopic(writer);
    await writer.append(numbered(topic, 3));
    const [ends] = await reader.ends(topic);
    const [place] = await writer.append(numbered(topic, 1));
    expect(ends).toEqual({ partition: 0, earliest: 0, latest: place?.position });
  });

  test('an append to a storage that does not answer fails in a way that says to try again, and does succeed later', async () => {
    const { log, topic } = await openTopic(fixture());
    {
      await using _ = await fixture().cut();
      await expect(log.append([textRecord(topic, 'k', 'cut off')])).rejects.toThrow(RetryableError);
    }
    await eventually(fixture(), () => log.append([textRecord(topic, 'k', 'healed')]));
    expect((await readTopic(log, topic)).map(textOf)).toContain('healed');
  });

  test('after disposal every call is refused for good, and another disposal does nothing', async () => {
    const { log, topic } = await openTopic(fixture());
    await log[Symbol.asyncDispose]();
    const handlers = { assigned: () => undefined, revoked: () => undefined };
    const calls = [
      () => log.ensureTopics([{ name: topic, partitions: 1, retentionMs: null }]),
      () => log.partitionCount(topic),
      () => log.append(numbered(topic, 1)),
      () => log.ends(topic),
      () => readBatches(log, topic, 0, 0, 1),
      () => log.subscribe(freshName(), [topic], handlers),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(PermanentError);
    await log[Symbol.asyncDispose]();
  });
}

function placeOf({ partition, position }: Pick<Place, 'partition' | 'position'>): string {
  return `${partition}/${position}`;
}

function bytesOf(value: Uint8Array | null | undefined): number[] | null {
  return value ? [...value] : null;
}
