import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { openSqliteLog } from '../../../../src/events/log/sqlite.ts';
import { PermanentError } from '../../../../src/platform/errors.ts';
import { DatabaseSync } from '../../../../src/platform/sqlite/node-sqlite.ts';
import { cutLog } from '../../../support/cut-log.ts';
import {
  eventually,
  freshName,
  freshTopic,
  join,
  numbered,
  onlyAssignment,
  readBatches,
  readTopic,
  textOf,
  textRecord,
} from '../../../support/log-fixture.ts';
import { newPath, openAt, openNew, settling } from '../../../support/sqlite-log.ts';
import { fakeClock } from '../../../support/test-clock.ts';

describe('the file of the SQLite log', () => {
  test('everything is there when it is opened again', async () => {
    const path = newPath();
    const first = openSqliteLog(path);
    const topic = await freshTopic(first);
    await first.append(numbered(topic, 3));
    cutLog(path, topic, 0, 1);
    await first[Symbol.asyncDispose]();
    const second = openAt(path);
    expect(await second.append(numbered(topic, 1))).toEqual([{ topic, partition: 0, position: 3 }]);
    expect((await readTopic(second, topic)).map(textOf)).toEqual(['1', '2', '0']);
  });

  test('a file that is no database is refused for good', () => {
    const path = newPath();
    writeFileSync(path, 'not a database, and long enough to have a header of one'.repeat(20));
    expect(() => openSqliteLog(path)).toThrow(PermanentError);
  });

  test('a file of a newer release is refused for good', () => {
    const path = newPath();
    using database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 2');
    expect(() => openSqliteLog(path)).toThrow('newer release');
  });

  test.each([
    ['value', { value: new Uint8Array(250 * 1024) }],
    ['headers', { headers: { baggage: 'x'.repeat(250 * 1024) } }],
  ])('a batch of records with large %s is cut short', async (_, part) => {
    const { log, topic } = await openNew();
    const large = { ...textRecord(topic, 'k', ''), ...part };
    await log.append(Array.from({ length: 40 }, () => large));
    const batches = await readBatches(log, topic, 0, 0, 40);
    expect(batches.map(({ records }) => records.length)).toEqual([17, 17, 6]);
  });
});

describe('time in the SQLite log', () => {
  test('timestamps never fall within a partition, even where the clock does', async () => {
    const clock = fakeClock(1_000_000);
    const { log, topic } = await openNew({ clock });
    for (const now of [1_000_000, 2_000_000, 1_500_000]) {
      clock.time = now;
      await log.append([textRecord(topic, 'k', 'text')]);
    }
    const timestamps = (await readTopic(log, topic)).map(({ timestamp }) => timestamp);
    expect(timestamps).toEqual([1_000_000, 2_000_000, 2_000_000]);
  });

  test('records older than their topic keeps them are forgotten at start, and others stay', async () => {
    const path = newPath();
    const clock = fakeClock(0);
    const specs = [
      { name: 'short', partitions: 1, retentionMs: 1000 },
      { name: 'for-ever', partitions: 1, retentionMs: null },
    ];
    const first = openAt(path, { clock });
    await first.ensureTopics(specs);
    await first.append([...numbered('short', 2500), ...numbered('for-ever', 1)]);
    clock.time = 500;
    await first.append(numbered('short', 1));
    clock.time = 1100;
    const second = openAt(path, { clock });
    await second.ensureTopics(specs);
    expect(await second.ends('short')).toEqual([{ partition: 0, earliest: 2500, latest: 2501 }]);
    expect(await second.ends('for-ever')).toEqual([{ partition: 0, earliest: 0, latest: 1 }]);
    using database = new DatabaseSync(path);
    expect(database.prepare('SELECT count(*) AS count FROM records').get()).toEqual({ count: 2 });
  });

  test('whoever holds the partitions applies retention every hour', async () => {
    const path = newPath();
    const clock = fakeClock(0);
    const log = openAt(path, { clock });
    await log.ensureTopics([{ name: 'short', partitions: 1, retentionMs: 1000 }]);
    await log.append(numbered('short', 3));
    await join(log, freshName(), ['short']);
    clock.time = 3_600_001;
    await eventually(settling, async () =>
      expect(await log.ends('short')).toEqual([{ partition: 0, earliest: 3, latest: 3 }]),
    );
  });

  test('nobody waits, nothing polls', async () => {
    const clock = fakeClock(0);
    const { log, topic } = await openNew({ clock, pollMs: 7 });
    const assignment = await onlyAssignment(settling, log, topic);
    await Promise.all([0, 1, 2].map(() => assignment.fetch(0, { maxRecords: 1, maxWaitMs: 70 })));
    const polls = clock.slept.filter((ms) => ms === 7).length;
    // One loop looks for all three, which would take 10 each.
    expect(polls).toBeGreaterThan(0);
    expect(polls).toBeLessThan(20);
    await eventually(settling, () => expect(clock.pending(7)).toBe(0));
  });
});

test.skipIf(process.platform !== 'linux')(
  'a file that cannot be opened as a log is left closed',
  async () => {
    const path = newPath();
    await openSqliteLog(path)[Symbol.asyncDispose]();
    const file = new DatabaseSync(path);
    file.exec('DROP TABLE records');
    file.close();
    expect(() => openSqliteLog(path)).toThrow();
    const targets = readdirSync('/proc/self/fd').flatMap((fd) => {
      // The one by which the folder was listed is gone by now.
      const link = `/proc/self/fd/${fd}`;
      return existsSync(link) ? readlinkSync(link) : [];
    });
    expect(targets.filter((target) => target.startsWith(path))).toEqual([]);
  },
);
