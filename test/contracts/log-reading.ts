import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../src/platform/errors.ts';
import {
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
  turns,
} from '../support/log-fixture.ts';

/** Reading without a group, and what is forgotten. */
export function logReadingContract(fixture: () => LogFixture): void {
  describe('read', () => {
    test('a read gives exactly the records from `from` up to, not including, `to`', async () => {
      const { log, topic } = await openTopic(fixture());
      const places = await log.append(numbered(topic, 10));
      const [from, to] = [places[3]?.position ?? -1, places[7]?.position ?? -1];
      const batches = await readBatches(log, topic, 0, from, to);
      expect(batches.flatMap(({ records }) => records.map(textOf))).toEqual(['3', '4', '5', '6']);
      expect(batches[0]?.from).toBe(from);
      expect(batches.at(-1)?.next).toBe(to);
    });

    test('the batches of a long read join on to each other', async () => {
      const { log, topic } = await openTopic(fixture());
      await log.append(numbered(topic, 3500));
      const [ends] = await log.ends(topic);
      let expected = 0;
      let count = 0;
      for (const { from, next, records } of await readBatches(log, topic, 0, 0, ends?.latest ?? -1)) {
        expect(from).toBe(expected);
        expect(records.every(({ position }) => position >= from && position < next)).toBe(true);
        expect(records.map(textOf)).toEqual(records.map((_, index) => String(count + index)));
        expected = next;
        count += records.length;
      }
      expect({ expected, count }).toEqual({ expected: ends?.latest, count: 3500 });
    });

    test('an empty range is over at once', async () => {
      const { log, topic } = await openTopic(fixture());
      expect(await readBatches(log, topic, 0, 0, 0)).toEqual([]);
    });

    test('a read beyond the end goes on with what is appended later', async () => {
      const [writer, reader] = await Promise.all([openLog(fixture()), openLog(fixture())]);
      const topic = await freshTopic(writer);
      await writer.append(numbered(topic, 2));
      const texts: (string | null)[] = [];
      for await (const { records } of reader.read({ topic, partition: 0, from: 0, to: 3 })) {
        texts.push(...records.map(textOf));
        if (texts.length === 2) await writer.append([textRecord(topic, 'key', 'later')]);
      }
      expect(texts).toEqual(['0', '1', 'later']);
    });

    test('an abort ends a read that waits', async () => {
      const { log, topic } = await openTopic(fixture());
      await log.append(numbered(topic, 1));
      const stop = new AbortController();
      const texts: (string | null)[] = [];
      for await (const { records } of log.read({
        topic,
        partition: 0,
        from: 0,
        to: 9,
        signal: stop.signal,
      })) {
        texts.push(...records.map(textOf));
        void turns().then(() => stop.abort());
      }
      expect(texts).toEqual(['0']);
    });

    test('a read below the earliest position is refused for good', async () => {
      const { log, topic } = await openTopic(fixture());
      const positions = positionsOf(await log.append(numbered(topic, 5)));
      await fixture().forget(topic, 0, positions[2] ?? -1);
      await expect(readBatches(log, topic, 0, positions[1] ?? -1, positions[4] ?? -1)).rejects.toThrow(
        PermanentError,
      );
    });

    test('a partition that does not exist is refused for good', async () => {
      const { log, topic } = await openTopic(fixture());
      await expect(readBatches(log, topic, 1, 0, 1)).rejects.toThrow(PermanentError);
      await expect(readBatches(log, freshName(), 0, 0, 1)).rejects.toThrow(PermanentError);
    });
  });

  describe('records that are forgotten', () => {
    test('are gone, and the others stay where they were', async () => {
      const [writer, reader] = await Promise.all([openLog(fixture()), openLog(fixture())]);
      const topic = await freshTopic(writer);
      const positions = positionsOf(await writer.append(numbered(topic, 5)));
      const [before] = await reader.ends(topic);
      await fixture().forget(topic, 0, positions[3] ?? -1);
      expect(await reader.ends(topic)).toEqual([
        { partition: 0, earliest: positions[3], latest: before?.latest },
      ]);
      expect((await readTopic(reader, topic)).map((record) => [record.position, textOf(record)])).toEqual([
        [positions[3], '3'],
        [positions[4], '4'],
      ]);
    });

    test('leave a partition that goes on where it was', async () => {
      const { log, topic } = await openTopic(fixture());
      await log.append(numbered(topic, 5));
      const [{ latest } = { latest: -1 }] = await log.ends(topic);
      await fixture().forget(topic, 0, latest);
      expect(await log.ends(topic)).toEqual([{ partition: 0, earliest: latest, latest }]);
      expect(positionsOf(await log.append(numbered(topic, 1)))).toEqual([latest]);
    });
  });
}
