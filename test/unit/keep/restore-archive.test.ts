import { describe, expect, test, vi } from 'vitest';

import type { Log, NewRecord } from '../../../src/events/log/port.ts';
import { ORIGINAL_TIME } from '../../../src/events/original-time.ts';
import { openArchive } from '../../../src/keep/manifest.ts';
import {
  restoreArchive,
  type RestoreOptions,
  type RestoreResult,
} from '../../../src/keep/restore-archive.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { overriding } from '../../support/overriding.ts';
import { newPath, openAt } from '../../support/sqlite-log.ts';
import {
  archived,
  archivedLog,
  logWith,
  many,
  newFolder,
  plain,
  record,
  recordsIn,
  recordsOf,
  TOPIC,
} from './stage.ts';
import { fakeClock } from '../../support/test-clock.ts';

const OTHER = 'catalog.metrics';

async function restore(
  folder: string,
  log: Log,
  options: Partial<RestoreOptions> = {},
): Promise<RestoreResult> {
  const signal = new AbortController().signal;
  return await restoreArchive(await openArchive(folder), log, {
    topics: [TOPIC],
    empty: [TOPIC, OTHER],
    topicPrefix: '',
    signal,
    ...options,
  });
}

/** As `plain`, without what a restored record cannot have: the log's own time, and the header that stands for it. */
async function contents(log: Log): Promise<readonly object[]> {
  const records = (await recordsOf(log)).map(({ headers, ...rest }) => {
    const { [ORIGINAL_TIME]: _time, ...others } = headers;
    return { ...rest, timestamp: 0, headers: others };
  });
  return plain(records);
}

function emptyLog(): Log {
  return openAt(newPath());
}

describe('a restored log', () => {
  test('has the same records in the same partitions, in the same order, each with its time in a header', async () => {
    const odd = [record('tombstone', null), record(null, 'no key')];
    const binary = record('binary', Buffer.from([0, 255, 10]), { a: 'b' });
    const { log: original, folder } = await archivedLog([...many(3000), ...odd, binary], {
      filePositions: 500,
    });
    const log = emptyLog();
    expect(await restore(folder, log)).toEqual({ appended: 3003, before: 0, moved: 0, interrupted: false });
    expect(await contents(log)).toEqual(await contents(original));
    const times = (await recordsOf(original)).map(({ timestamp }) => String(timestamp));
    expect((await recordsOf(log)).map(({ headers }) => headers[ORIGINAL_TIME])).toEqual(times);
    expect(await log.topicSettings(TOPIC)).toMatchObject({ partitions: 3, retentionMs: null });
  });

  test('has the records of all partitions in the order of their times', async () => {
    const clock = fakeClock(1_000_000);
    const original = openAt(newPath(), { clock });
    await original.ensureTopics([{ name: TOPIC, partitions: 4, retentionMs: null }]);
    for (const one of many(40)) {
      clock.time += 1000;
      await original.append([one]);
    }
    const folder = newFolder();
    await archived(original, folder);
    expect((await recordsIn(folder)).map(({ key }) => key)).toEqual(many(40).map(({ key }) => key));
  });

  test('that is archived and restored again keeps the first time', async () => {
    const { folder: first } = await archivedLog(many(5));
    const second = newFolder();
    const [copy, copyOfCopy] = [emptyLog(), emptyLog()];
    await restore(first, copy);
    await archived(copy, second);
    await restore(second, copyOfCopy);
    const headers = async (log: Log) => (await recordsOf(log)).map((one) => one.headers);
    expect(await headers(copyOfCopy)).toEqual(await headers(copy));
  });

  test('says how many records stand in other partitions, where its topic has other ones', async () => {
    const { folder } = await archivedLog(many(60), { partitions: 3 });
    const log = await logWith([], 5);
    const { appended, moved } = await restore(folder, log);
    expect(appended).toBe(60);
    const before = new Map((await recordsIn(folder)).map(({ key, partition }) => [key, partition]));
    const elsewhere = (await recordsOf(log)).filter(({ key, partition }) => before.get(key) !== partition);
    expect(moved).toBe(elsewhere.length);
    expect(moved).toBeGreaterThan(0);
  });

  test('of an empty archive is empty', async () => {
    const { folder } = await archivedLog([]);
    const log = emptyLog();
    expect(await restore(folder, log)).toMatchObject({ appended: 0, before: 0 });
    expect(await log.partitionCount(TOPIC)).toBe(3);
  });

  test('can stand on topics with another prefix', async () => {
    const { folder } = await archivedLog(many(5));
    const log = emptyLog();
    await restore(folder, log, { topicPrefix: 'copy.' });
    expect(await log.partitionCount(`copy.${TOPIC}`)).toBe(3);
    expect(await log.partitionCount(TOPIC)).toBe(0);
  });
});

describe('a restore that was killed', () => {
  test.each([1, 2, 5])(
    'in its append number %i is gone on with: nothing twice, nothing left out',
    async (fatal) => {
      const { log: original, folder } = await archivedLog(many(6000));
      const log = emptyLog();
      const onBegin = vi.fn<() => void>();
      await expect(restore(folder, dying(log, fatal), { onBegin })).rejects.toThrow('killed');
      expect(onBegin).toHaveBeenCalledOnce();
      const there = (await recordsOf(log)).length;
      const { appended, before } = await restore(folder, log);
      expect({ appended, before }).toEqual({ appended: 6000 - there, before: there });
      expect(await contents(log)).toEqual(await contents(original));
      expect(await restore(folder, log)).toMatchObject({ appended: 0, before: 6000 });
    },
  );

  test('is gone on with although the archive has grown since', async () => {
    const { log: original, folder } = await archivedLog(many(100));
    const log = emptyLog();
    await restore(folder, log);
    await original.append(many(50, 100));
    await archived(original, folder);
    expect(await restore(folder, log)).toMatchObject({ appended: 50, before: 100 });
    expect(await contents(log)).toEqual(await contents(original));
  });
});

describe('a log that is not empty is refused, and left as it is', () => {
  test.each([
    ['one record of its own', [record('a')]],
    ['the beginning of the archive, and more', [...many(80), record('more')]],
    ['the same keys with other values', many(10).map(({ key }) => record(key, 'other'))],
  ])('where it holds %s', async (_what, held) => {
    const { folder } = await archivedLog(many(80));
    const log = await logWith(held);
    const before = await recordsOf(log);
    const onBegin = vi.fn<() => void>();
    await expect(restore(folder, log, { onBegin })).rejects.toThrow(
      /^The log is not empty: catalog\.entries\/\d holds \d+ records/,
    );
    expect(onBegin).not.toHaveBeenCalled();
    expect(await recordsOf(log)).toEqual(before);
  });

  test('where it holds a topic that is not in the archive', async () => {
    const { folder } = await archivedLog(many(8));
    const log = emptyLog();
    await log.ensureTopics([{ name: OTHER, partitions: 1, retentionMs: null }]);
    await log.append([{ ...record('a'), topic: OTHER }]);
    await expect(restore(folder, log)).rejects.toThrow(
      /^The log is not empty: catalog\.metrics\/0 holds 1 records/,
    );
    expect(await log.partitionCount(TOPIC)).toBe(0);
  });
});

/** The log of a process that dies in its append of this number, after a part of it. */
function dying(log: Log, fatal: number): Log {
  let appends = 0;
  const append = async (records: readonly NewRecord[]) => {
    appends += 1;
    if (appends < fatal) return await log.append(records);
    await log.append(records.slice(0, records.length / 3));
    throw new RetryableError('killed');
  };
  return overriding<Log>(log, { append });
}
