import { CompressionTypes, type ITopicConfig } from 'kafkajs';
import { describe, expect, test, vi } from 'vitest';

import type { Batch, Log } from '../../src/events/log/port.ts';
import {
  eventually,
  fetchRecords,
  FOR_EVER_MS,
  freshName,
  freshTopic,
  join,
  numbered,
  onlyAssignment,
  positionsOf,
  readBatches,
  readTopic,
  textOf,
  textRecord,
} from '../support/log-fixture.ts';
import { openKafka, otherClient, settling, withAdmin } from '../support/kafka-log.ts';

/** What stands in a real Kafka beyond what the port appends: other producers, compaction, transactions. */

async function configuredTopic(config: Readonly<Record<string, string>>, partitions = 1): Promise<string> {
  const topic = freshName();
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  const created: ITopicConfig = { topic, numPartitions: partitions, configEntries };
  await withAdmin((admin) => admin.createTopics({ topics: [created] }));
  return topic;
}

/** The batches of a whole partition, which must join on to each other and reach its end. */
async function wholePartition(log: Log, topic: string): Promise<readonly Batch[]> {
  const [{ earliest, latest } = { earliest: -1, latest: -1 }] = await log.ends(topic);
  const batches = await readBatches(log, topic, 0, earliest, latest);
  expect(batches.map(({ from }) => from)).toEqual(
    [earliest, ...batches.map(({ next }) => next)].slice(0, -1),
  );
  expect(batches.at(-1)?.next).toBe(latest);
  return batches;
}

describe('records of others', () => {
  test.each(['gzip', 'snappy', 'lz4', 'zstd'])('records that %s has compressed come back', async (codec) => {
    const log = openKafka();
    const topic = await configuredTopic({ 'compression.type': codec });
    const texts = Array.from(
      { length: 300 },
      (_, index) => `${index} ${'abcабв'.repeat(index)} ${Math.random()}`,
    );
    await log.append(texts.map((text) => textRecord(topic, 'k', text)));
    expect((await readTopic(log, topic)).map(textOf)).toEqual(texts);
  });

  test('a batch that takes little room and unpacks to much is read to its end, in parts', async () => {
    const log = openKafka();
    const topic = await freshTopic(log);
    const producer = otherClient().producer();
    await producer.connect();
    const value = 'a'.repeat(200 * 1024);
    const messages = Array.from({ length: 340 }, (_, index) => ({ key: String(index), value }));
    await producer.send({ topic, compression: CompressionTypes.GZIP, messages });
    await producer.disconnect();
    await log.append([textRecord(topic, 'k', 'behind')]);
    const batches = await wholePartition(log, topic);
    expect(batches.length).toBeGreaterThan(2);
    const records = batches.flatMap((batch) => batch.records);
    expect(records.map(({ key }) => key)).toEqual([...messages.map(({ key }) => key), 'k']);
    expect(records.slice(0, -1).every((record) => textOf(record) === value)).toBe(true);
    const assignment = await onlyAssignment(settling, log, topic);
    expect(positionsOf(await fetchRecords(assignment, 335, 6))).toEqual([335, 336, 337, 338, 339, 340]);
  });

  test('a record larger than any fetch comes whole, and reading goes on behind it', async () => {
    const log = openKafka({ patienceMs: 20_000, requestMs: 20_000 });
    const topic = await configuredTopic({ 'max.message.bytes': String(32 * 1024 * 1024) });
    const large = 'x'.repeat(20 * 1024 * 1024);
    await log.append(['before', large, 'after'].map((text) => textRecord(topic, 'k', text)));
    const assignment = await onlyAssignment(settling, log, topic);
    const lengths = (await fetchRecords(assignment, 0, 3)).map((record) => textOf(record)?.length);
    expect(lengths).toEqual([6, large.length, 5]);
  });

  test('a record larger than the topic allows is refused for good, and the next append works', async () => {
    const log = openKafka();
    const topic = await configuredTopic({ 'max.message.bytes': '10000' });
    await expect(log.append([textRecord(topic, 'k', 'x'.repeat(20_000))])).rejects.toThrow(
      /max.message.bytes/,
    );
    await log.append([textRecord(topic, 'k', 'small')]);
    expect((await readTopic(log, topic)).map(textOf)).toEqual(['small']);
  });

  test('the time of a record is that of its append, whatever its publisher says', async () => {
    const log = openKafka();
    const topic = await freshTopic(log);
    const producer = otherClient().producer();
    await producer.connect();
    const timestamp = String(Date.UTC(2099, 0, 1));
    await producer.send({ topic, messages: [{ key: 'k', value: 'v', timestamp }] });
    await producer.disconnect();
    const [record] = await readTopic(log, topic);
    expect(Math.abs((record?.timestamp ?? 0) - Date.now())).toBeLessThan(30_000);
  });

  test('transactions that were given up are not read, nor are the marks that end any', async () => {
    const log = openKafka();
    const topic = await freshTopic(log);
    const client = otherClient();
    const [one, two] = [freshName(), freshName()].map((transactionalId) =>
      client.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 }),
    );
    if (!one || !two) throw new Error('two producers were made');
    await Promise.all([one.connect(), two.connect()]);
    const send = async (producer: typeof one, text: string, end: 'commit' | 'abort'): Promise<void> => {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ key: 'k', value: text }] });
      await transaction[end]();
    };
    // Two at once: records of one that is given up stand among those of the other.
    const [first, second] = [await one.transaction(), await two.transaction()];
    await first.send({ topic, messages: [{ key: 'k', value: 'given up' }] });
    await second.send({ topic, messages: [{ key: 'k', value: 'kept' }] });
    await first.abort();
    await second.commit();
    await send(one, 'kept too', 'commit');
    await send(two, 'given up too', 'abort');
    await log.append([textRecord(topic, 'k', 'plain')]);
    await Promise.all([one.disconnect(), two.disconnect()]);
    const batches = await wholePartition(log, topic);
    expect(batches.flatMap(({ records }) => records.map(textOf))).toEqual(['kept', 'kept too', 'plain']);
  });

  test('an open transaction ends what can be read for the time being, and what it holds up is counted', async () => {
    const log = openKafka();
    const topic = await freshTopic(log);
    await log.append([textRecord(topic, 'k', 'before')]);
    const producer = otherClient().producer({
      transactionalId: freshName(),
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ key: 'k', value: 'inside' }] });
    expect(await log.ends(topic)).toEqual([{ partition: 0, earliest: 0, latest: 2, readable: 1 }]);
    expect((await readTopic(log, topic)).map(textOf)).toEqual(['before']);
    await transaction.commit();
    await producer.disconnect();
    await eventually(settling, async () =>
      expect(await log.ends(topic)).toEqual([{ partition: 0, earliest: 0, latest: 3 }]),
    );
    await eventually(settling, async () =>
      expect((await readTopic(log, topic)).map(textOf)).toEqual(['before', 'inside']),
    );
  });
});

describe('a compacted topic', () => {
  const COMPACTING = {
    'cleanup.policy': 'compact',
    'min.cleanable.dirty.ratio': '0.001',
    'max.compaction.lag.ms': '100',
  };

  test('is read to its end over a segment in which nothing is left but an empty batch', async () => {
    const topic = await configuredTopic({ ...COMPACTING, 'segment.bytes': String(1024 * 1024) });
    // Each client is a producer of its own: of each, Kafka keeps the last batch, even where nothing is left in it.
    // One record fills a segment, so that no other one is joined to it when it is compacted.
    for (const text of ['first', 'second', 'third']) {
      await using log = openKafka();
      await log.append([textRecord(topic, 'a', text.padEnd(700 * 1024))]);
    }
    const log = openKafka();
    await eventually(settling, async () => {
      const records = (await wholePartition(log, topic)).flatMap((batch) => batch.records);
      expect(records.map(({ position }) => position)).not.toContain(0);
    });
    const assignment = await onlyAssignment(settling, log, topic);
    expect(positionsOf(await fetchRecords(assignment, 0, 1))).toEqual([1]);
  });

  test('is read to its end over holes, from wherever reading starts', async () => {
    const topic = await configuredTopic({ ...COMPACTING, 'segment.ms': '100' });
    for (const text of ['1', '2', '3', '4', '5', '6']) {
      await using log = openKafka();
      await log.append([textRecord(topic, 'a', text), textRecord(topic, 'b', text)]);
    }
    const log = openKafka();
    await vi.waitFor(
      async () => {
        // A segment is closed by an append after its time, and only closed segments are compacted.
        await log.append([textRecord(topic, 'z', 'last')]);
        const texts = (await wholePartition(log, topic)).flatMap(({ records }) => records.map(textOf));
        expect(texts.filter((text) => text !== 'last')).toEqual(['6', '6']);
      },
      { timeout: 45_000, interval: 500 },
    );
    const batches = await wholePartition(log, topic);
    const records = batches.flatMap((batch) => batch.records);
    const assignment = await onlyAssignment(settling, log, topic);
    // From everywhere, from within holes too, the first record is the next one that is left.
    for (let from = 0; from < 12; from += 1) {
      const next = records.find(({ position }) => position >= from);
      const [found] = await fetchRecords(assignment, from, 1);
      expect(found?.position).toBe(next?.position);
    }
  });
});

test('a topic that was made again says that it ends before the position that is asked for', async () => {
  const log = openKafka();
  const topic = await freshTopic(log);
  await log.append(numbered(topic, 5));
  const assignment = await onlyAssignment(settling, log, topic);
  expect(await fetchRecords(assignment, 0, 5)).toHaveLength(5);
  await withAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
  await eventually(settling, async () => expect(await log.partitionCount(topic)).toBe(0));
  await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: null }]);
  await log.append(numbered(topic, 2));
  const again = await onlyAssignment(settling, log, topic);
  const batch = await again.fetch(5, { maxRecords: 10, maxWaitMs: FOR_EVER_MS });
  expect(batch).toEqual({ from: 2, next: 2, records: [] });
});

test('positions that a group has committed never decide where reading starts', async () => {
  const log = openKafka();
  const topic = await freshTopic(log);
  await log.append(numbered(topic, 5));
  const group = freshName();
  await withAdmin((admin) =>
    admin.setOffsets({ groupId: group, topic, partitions: [{ partition: 0, offset: '5' }] }),
  );
  const again = await join(log, group, [topic]);
  const next = await eventually(settling, () => {
    const held = again.held.get(`${topic}/0`);
    if (!held) throw new Error('not assigned yet');
    return held;
  });
  expect(positionsOf(await fetchRecords(next, 1, 4))).toEqual([1, 2, 3, 4]);
});

test('what the read models cannot live with in the settings of topics is remarked', async () => {
  const log = openKafka();
  const topic = await configuredTopic({ 'cleanup.policy': 'compact', 'retention.ms': '1000' }, 2);
  const settings = await log.topicSettings(topic);
  expect(settings).toMatchObject({ partitions: 2, retentionMs: 1000 });
  expect(settings?.remarks.join()).toMatch(/message.timestamp.type is CreateTime.*cleanup.policy is compact/);
});

test('a topic that has just been made can be asked for its ends, by whoever sees it: brokers take a moment to lead its partitions', async () => {
  const log = openKafka();
  for (const topic of Array.from({ length: 10 }, freshName)) {
    const making = withAdmin((admin) =>
      admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: 40 }] }),
    );
    while ((await log.partitionCount(topic)) === 0);
    expect(await log.ends(topic)).toHaveLength(40);
    await making;
  }
});
