import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import type { Log } from '../../../src/events/log/port.ts';
import { openArchive } from '../../../src/keep/manifest.ts';
import { lockFolder } from '../../../src/platform/files/folder-lock.ts';
import { filesIn } from '../../support/archived-records.ts';
import { cutLog } from '../../support/cut-log.ts';
import { overriding } from '../../support/overriding.ts';
import { newPath } from '../../support/sqlite-log.ts';
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

const ODD = [
  record(null, 'no key'),
  record('tombstone', null),
  record('empty', ''),
  record('binary', Buffer.from([0, 255, 254, 128, 10, 13])),
  record('mark', '\ufeff{"a":"line\u2028feed\n"}'),
  record('Ключ 🎈', '{"текст":"да"}', { 'content-type': 'text/plain', ce_type: '"quoted"\n', '': '' }),
  record('proto', '{"__proto__":1}', JSON.parse('{"__proto__":"header"}') as object),
];

describe('an archive', () => {
  test('holds every record as the log has it, whatever bytes it is made of', async () => {
    const log = await logWith(ODD);
    const folder = newFolder();
    expect(await archived(log, folder)).toMatchObject({ records: ODD.length, gaps: [] });
    expect(plain(await recordsIn(folder))).toEqual(plain(await recordsOf(log)));
  });

  test('is NDJSON that other tools read: a line for each record', async () => {
    const records = [record('a', '{"n":1}'), record('b', Buffer.from([200]))];
    const { folder } = await archivedLog(records, { partitions: 1 });
    const [path = ''] = filesIn(folder);
    const text = gunzipSync(readFileSync(join(folder, path))).toString();
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { position: 0, key: 'a', headers: {}, value: '{"n":1}' },
      { position: 1, key: 'b', value_base64: 'yA==' },
    ]);
  });

  test('grows by new files alone: what was there stays, byte for byte', async () => {
    const { log, folder } = await archivedLog(many(50));
    const before = new Map(filesIn(folder).map((path) => [path, readFileSync(join(folder, path))]));
    await log.append(many(20, 50));
    expect(await archived(log, folder)).toMatchObject({ records: 20 });
    for (const [path, bytes] of before) expect(readFileSync(join(folder, path))).toEqual(bytes);
    expect(filesIn(folder).length).toBeGreaterThan(before.size);
    expect(plain(await recordsIn(folder))).toEqual(plain(await recordsOf(log)));
  });

  test('of a log where nothing is new gets no file, and one of an empty log has none', async () => {
    const log = await logWith([]);
    const folder = newFolder();
    expect(await archived(log, folder)).toMatchObject({ records: 0, files: 0 });
    expect(await recordsIn(folder)).toEqual([]);
    await log.append(many(5));
    await archived(log, folder);
    expect(await archived(log, folder)).toMatchObject({ records: 0, files: 0 });
  });

  test('has files of so many positions at most, and is for this user alone', async () => {
    const { folder } = await archivedLog(many(25), { partitions: 1, filePositions: 10 });
    expect(filesIn(folder)).toHaveLength(3);
    for (const path of filesIn(folder)) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(await recordsIn(folder)).toHaveLength(25);
  });

  test('says once which records had gone before it came to them, and goes on behind them', async () => {
    const path = newPath();
    const log = await logWith(many(10), 1, path);
    const folder = newFolder();
    await archived(log, folder);
    await log.append(many(10, 10));
    cutLog(path, TOPIC, 0, 15);
    const gap = { topic: TOPIC, partition: 0, from: 10, to: 15 };
    expect(await archived(log, folder)).toMatchObject({ records: 5, gaps: [gap] });
    expect(await archived(log, folder)).toMatchObject({ records: 0, gaps: [] });
    expect((await recordsIn(folder)).map(({ position }) => position)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19,
    ]);
    const { manifest } = await openArchive(folder);
    expect(manifest.topics[0]?.partitions[0]?.gaps).toEqual([{ from: 10, to: 15 }]);
  });

  test('keeps what the log could not give, as a line of its own', async () => {
    const log = withHole(await logWith(many(10), 1));
    const folder = newFolder();
    expect(await archived(log, folder)).toMatchObject({ records: 8 });
    const { manifest } = await openArchive(folder);
    expect(manifest.topics[0]?.partitions[0]?.files[0]).toMatchObject({ records: 8, unreadable: 1 });
    expect((await recordsIn(folder)).map(({ position }) => position)).toEqual([0, 1, 2, 5, 6, 7, 8, 9]);
  });
});

describe('an archive is not gone on with', () => {
  test.each([
    ['ends before it', many(3)],
    ['holds other records', many(20, 100)],
  ])('by a log that %s', async (_how, records) => {
    const { folder } = await archivedLog(many(10), { partitions: 1 });
    await expect(archived(await logWith(records, 1), folder)).rejects.toThrow(
      /^catalog\.entries\/0 .+: this log is not the one that was archived\. Name a new folder/,
    );
    expect(await recordsIn(folder)).toHaveLength(10);
  });

  test('while another process writes it', async () => {
    const { log, folder } = await archivedLog(many(3));
    using _lock = lockFolder(folder);
    await expect(archived(log, folder)).rejects.toThrow(/^Another process is writing the archive in /);
  });

  test('in a folder that holds something else, or below a file', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'holiday.jpg'), '');
    const log = await logWith(many(3));
    await expect(archived(log, folder)).rejects.toThrow(/is not empty: holiday\.jpg is there/);
    await expect(archived(log, join(folder, 'holiday.jpg'))).rejects.toThrow(
      /holiday\.jpg cannot be written/,
    );
  });

  test('with another prefix', async () => {
    const { log, folder } = await archivedLog(many(3));
    await expect(archived(log, folder, { topicPrefix: 'other.' })).rejects.toThrow(
      /CATALOG_TOPIC_PREFIX is "other\."/,
    );
  });
});

describe('what a killed run leaves', () => {
  test('is written over by the next one: files that were begun, and those that no manifest names', async () => {
    const { log, folder } = await archivedLog(many(10), { partitions: 1 });
    const [path = ''] = filesIn(folder);
    const beside = join(folder, dirname(path));
    const left = ['0000000000000010.ndjson.gz.partial', '0000000000000010.ndjson.gz'];
    for (const name of [...left, 'notes.txt']) writeFileSync(join(beside, name), 'half');
    await log.append(many(4, 10));
    await archived(log, folder);
    expect(new Set(readdirSync(beside))).toEqual(new Set([basename(path), left[1], 'notes.txt']));
    expect(readFileSync(join(beside, 'notes.txt'), 'utf8')).toBe('half');
    expect(plain(await recordsIn(folder))).toEqual(plain(await recordsOf(log)));
    rmSync(folder, { recursive: true });
  });

  test('before the first manifest is no reason to refuse the folder', async () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    for (const name of ['.lock', 'manifest.json.partial']) writeFileSync(join(folder, name), '');
    expect(await archived(await logWith(many(3)), folder)).toMatchObject({ records: 3 });
  });
});

/** The same log, which can give nothing of the positions 3 and 4. */
function withHole(log: Log): Log {
  const unreadable = [
    {
      topic: TOPIC,
      partition: 0,
      from: 3,
      to: 5,
      code: 'unreadable',
      reason: 'a checksum',
      bytes: Buffer.from([1]),
      timestamp: 0,
    },
  ] as const;
  return overriding<Log>(log, {
    async *read(range) {
      for await (const batch of log.read(range)) {
        const records = batch.records.filter(({ position }) => position !== 3 && position !== 4);
        yield { ...batch, records, unreadable };
      }
    },
  });
}
