import { describe, expect, test } from 'vitest';

import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { messageOf } from '../../src/platform/errors.ts';
import { openSqlite } from '../../src/platform/sqlite/open-database.ts';
import { cutLog } from '../support/cut-log.ts';
import { startLogChild } from '../support/log-child.ts';
import {
  eventually,
  FOR_EVER_MS,
  freshName,
  join,
  type LogFixture,
  numbered,
  onlyAssignment,
  readTopic,
  textOf,
  textRecord,
  turns,
} from '../support/log-fixture.ts';
import { lock, newPath, openNew, openerOf, settling } from '../support/sqlite-log.ts';
import { logContract } from './log.ts';

const QUICK = { lookMs: 200, patienceMs: 1000 };

logContract('SQLite', async () => sqliteFixture(newPath()));

function sqliteFixture(path: string): LogFixture {
  return {
    open: async () => openSqliteLog(path, QUICK),
    opener: openerOf(path, QUICK),
    cut: async () => {
      const release = lock(path);
      return { [Symbol.asyncDispose]: async () => release() };
    },
    forget: async (topic, partition, before) => cutLog(path, topic, partition, before),
    addPartitions: async (topic, count) => {
      using database = openSqlite(path, { durability: 'full', busyMs: 5000 });
      const insert = database.prepare('INSERT OR IGNORE INTO partitions (topic, partition) VALUES (?, ?)');
      for (let partition = 0; partition < count; partition += 1) insert.run(topic, partition);
    },
    ...settling,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

describe('one SQLite file and several processes', () => {
  test('many processes append at once: nothing is lost, and each one keeps its own order', async () => {
    const { path, log, topic } = await openNew({}, 2);
    const children = await Promise.all([0, 1, 2, 3].map(() => startLogChild(openerOf(path))));
    await Promise.all(children.map((child, writer) => child.append(topic, `w${writer}`, 25, 40)));
    const records = await readTopic(log, topic);
    for (const [writer] of children.entries()) {
      const texts = records.filter(({ key }) => key === `w${writer}`).map(textOf);
      expect(texts).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)));
    }
    expect(records).toHaveLength(4000);
  });

  test('a process that is killed while it appends leaves whole transactions, and all it was promised', async () => {
    const { path, log, topic } = await openNew();
    const child = await startLogChild(openerOf(path));
    const killed = child.append(topic, 'k', 10_000, 50).catch(messageOf);
    await eventually(settling, () => expect(child.appended()).toBeGreaterThan(200));
    await child.signal('SIGKILL');
    expect(await killed).toContain('ended');
    const texts = (await readTopic(log, topic)).map(textOf);
    expect(texts.length).toBeGreaterThanOrEqual(child.appended());
    expect(texts.length % 50).toBe(0);
    expect(texts).toEqual(texts.map((_, index) => String(index)));
  });

  test('the partitions of a killed process are free at once, and so are those of a member that leaves', async () => {
    const { path, log, topic } = await openNew({ lookMs: FOR_EVER_MS });
    const group = freshName();
    const child = await startLogChild(openerOf(path));
    await child.subscribe(group, [topic]);
    const refused = await join(log, group, [topic]);
    expect(refused.held.size).toBe(0);
    await refused.leave();
    await child.signal('SIGKILL');
    const member = await join(log, group, [topic]);
    expect(member.held.size).toBe(1);
    await member.leave();
    expect((await join(log, group, [topic])).held.size).toBe(1);
  });

  test('while another process writes, an append waits without holding the thread', async () => {
    const { path, log, topic } = await openNew();
    const release = lock(path);
    let done = false;
    const appending = log.append([textRecord(topic, 'k', 'waited')]).then(() => (done = true));
    await turns();
    expect(done).toBe(false);
    release();
    await appending;
    expect((await readTopic(log, topic)).map(textOf)).toEqual(['waited']);
  });

  test('a reader with a backlog leaves the thread to others', async () => {
    const { log, topic } = await openNew();
    await log.append(numbered(topic, 2));
    const assignment = await onlyAssignment(settling, log, topic);
    let others = 0;
    setImmediate(() => (others += 1));
    for (let fetched = 0; fetched < 5; fetched += 1)
      await assignment.fetch(0, { maxRecords: 1, maxWaitMs: 0 });
    expect(others).toBe(1);
  });

  test('reading goes on while another process writes', async () => {
    const { path, log, topic } = await openNew({ patienceMs: 0 });
    await log.append(numbered(topic, 2));
    const release = lock(path);
    expect((await readTopic(log, topic)).map(textOf)).toEqual(['0', '1']);
    release();
  });

  test('many processes may make the same new file at once', async () => {
    const children = await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map(() => startLogChild(openerOf(newPath()))),
    );
    // Where the switch to WAL is not tried again, about one such opening in thirty fails.
    for (let round = 0; round < 30; round += 1) {
      const opener = openerOf(newPath());
      await Promise.all(children.map((child) => child.open(opener)));
    }
  });
});
