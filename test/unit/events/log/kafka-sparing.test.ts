import { expect, test } from 'vitest';

import { encodeBatch } from '../../../support/record-batches.ts';
import {
  hurriedClock,
  openScriptedLog,
  readAll,
  scriptedClient,
  TOPIC,
} from '../../../support/scripted-kafka.ts';

/** What has nothing to do asks brokers for little. */

const KAFKA = {
  batches: [
    { end: 1, bytes: encodeBatch(0, [{ delta: 0, key: Buffer.from('k'), value: Buffer.from('v') }]) },
  ],
};
const NOTHING = { errorCode: 0, bytes: Buffer.alloc(0) };

test('a broker that had nothing is asked for longer, to a full second that is not near, until it has something again', async () => {
  const waits: number[] = [];
  const clock = hurriedClock();
  const client = scriptedClient({ ...KAFKA, answer: (part, { count }) => (count <= 2 ? NOTHING : part) });
  const timed: typeof client = {
    ...client,
    fetch: async (node, parts, waitMs) => {
      waits.push(waitMs);
      const fetched = await client.fetch(node, parts, waitMs);
      await clock.sleep(waits.length === 1 ? 900 - clock.monotonic() : waitMs);
      return fetched;
    },
  };
  await using log = openScriptedLog(KAFKA, timed, clock);
  expect(await readAll(log, 0, 1)).toHaveLength(1);
  expect(waits).toEqual([250, 1100, 1000]);
  await readAll(log, 0, 1);
  expect(waits.slice(3)).toEqual([250]);
});

test('those who ask for the ends of a topic at the same time share the reading, and its failure', async () => {
  let readings = 0;
  const client = scriptedClient(KAFKA);
  await using log = openScriptedLog(KAFKA, {
    ...client,
    ends: (topic) => {
      readings += 1;
      if (readings === 2) throw new Error('this is a fault');
      return client.ends(topic);
    },
  });
  const ends = [{ partition: 0, earliest: 0, latest: 1 }];
  expect(await Promise.all([log.ends(TOPIC), log.ends(TOPIC)])).toEqual([ends, ends]);
  expect(readings).toBe(1);
  const failed = await Promise.allSettled([log.ends(TOPIC), log.ends(TOPIC)]);
  expect([failed.map(({ status }) => status), readings]).toEqual([['rejected', 'rejected'], 2]);
  expect(await log.ends(TOPIC)).toEqual(ends);
});

test('who asks for ends while they are read is told of what is there by then', async () => {
  const client = scriptedClient(KAFKA);
  let latest = 1;
  const later: Promise<unknown>[] = [];
  await using log = openScriptedLog(KAFKA, {
    ...client,
    ends: async () => {
      const ends = [{ partition: 0, earliest: 0, latest }];
      latest += 1;
      if (later.length === 0) later.push(log.ends(TOPIC));
      return ends;
    },
  });
  expect(await log.ends(TOPIC)).toMatchObject([{ latest: 1 }]);
  expect(await later[0]).toMatchObject([{ latest: 2 }]);
});

const endsTo = (latest: number) => [{ partition: 0, earliest: 0, latest }];

test('topics whose ends are asked for at the same time are read in one go', async () => {
  const client = scriptedClient(KAFKA);
  const asked: (readonly string[])[] = [];
  await using log = openScriptedLog(KAFKA, {
    ...client,
    endsTogether: async (topics) => {
      asked.push(topics);
      return new Map(topics.map((topic, index) => [topic, endsTo(index)]));
    },
  });
  const found = await Promise.all(['one', 'two', 'one'].map((topic) => log.ends(topic)));
  expect(found).toEqual([endsTo(0), endsTo(1), endsTo(0)]);
  expect(asked).toEqual([['one', 'two']]);
});

test('where they cannot be read so, each is asked for alone, and fails alone', async () => {
  const client = scriptedClient(KAFKA);
  await using log = openScriptedLog(KAFKA, {
    ...client,
    endsTogether: async () => null,
    ends: async (topic) => {
      if (topic === 'refused') throw Object.assign(new Error('no'), { type: 'TOPIC_AUTHORIZATION_FAILED' });
      return endsTo(7);
    },
  });
  const found = await Promise.allSettled(['one', 'refused'].map((topic) => log.ends(topic)));
  expect(found).toMatchObject([{ value: endsTo(7) }, { reason: { message: /reading the ends of a topic/ } }]);
});

test('what fails for all of them is told to all of them, and not asked again', async () => {
  const client = scriptedClient(KAFKA);
  await using log = openScriptedLog(KAFKA, {
    ...client,
    endsTogether: () => Promise.reject(new Error('the connection is gone')),
    ends: () => Promise.reject(new Error('this was not to be asked')),
  });
  const found = await Promise.allSettled(['one', 'two'].map((topic) => log.ends(topic)));
  expect(found).toMatchObject([1, 2].map(() => ({ reason: { message: /the connection is gone/ } })));
});
