import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, test } from 'vitest';

import { openSqliteLog } from '../../../../src/events/log/sqlite.ts';
import { markUnfinished } from '../../../../src/keep/unfinished-restore.ts';
import { cannotBeWritten } from '../../../../src/platform/files/durable-files.ts';
import { lockFolder } from '../../../../src/platform/files/folder-lock.ts';
import { cutLog } from '../../../support/cut-log.ts';
import { published } from '../../../support/events.ts';
import { filesIn } from '../../../support/archived-records.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { runHere } from '../../../support/run-here.ts';
import { damage } from '../../keep/stage.ts';

let folder: string;
let archive: string;
beforeEach(() => {
  folder = temporaryFolder();
  archive = join(folder, 'archive');
});

function run(args: readonly string[], data = 'data', input?: string) {
  return runHere(args, { CATALOG_DATA: join(folder, data) }, input);
}

/** Archives so many events, and damages the first file. */
async function damagedArchive(): Promise<string> {
  const events = Array.from({ length: 40 }, (_, index) =>
    JSON.stringify(published({ subject: `s${index}` })),
  );
  await run(['publish', '-'], 'data', events.join('\n'));
  await run(['keep', 'archive', archive]);
  const path = filesIn(archive)[0] ?? '';
  damage(join(archive, path));
  return path;
}

async function checked() {
  return JSON.parse((await run(['keep', 'archive', archive, '--check', '--json'])).stdout) as {
    readable: number;
    damaged: { records: number }[];
  };
}

describe('a damaged archive', () => {
  test('is named by its files, with what stands in the others', async () => {
    const path = await damagedArchive();
    const { code, stdout } = await run(['keep', 'archive', archive, '--check']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^DAMAGED .+: it is not as it was written \(SHA-256\)\. It has \d+ records\.$/m);
    expect(stdout).toMatch(/^\d of \d files are whole; \d+ of 40 records stand in them\.$/m);
    const json = await checked();
    expect(json).toMatchObject({ ok: false, records: 40, damaged: [{ path }] });
    expect(json.readable).toBe(40 - (json.damaged[0]?.records ?? 0));
  });

  test('that has lost a file says so in the next run', async () => {
    const path = await damagedArchive();
    expect((await run(['keep', 'archive', archive])).code).toBe(0);
    rmSync(join(archive, path));
    const { code, stdout } = await run(['keep', 'archive', archive]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^DAMAGED .+: it is missing\. It has \d+ records\.\n0 records archived/);
    const { damaged } = JSON.parse((await run(['keep', 'archive', archive, '--json'])).stdout) as {
      damaged: unknown;
    };
    expect(damaged).toMatchObject([{ path, problem: 'it is missing' }]);
  });

  test('is not restored, and nothing of it; unless what is damaged is to be left out', async () => {
    await damagedArchive();
    const { code, stderr } = await run(['keep', 'restore', archive], 'copy');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^DAMAGED .+\ncatalog: The archive is damaged: .+ Nothing was restored; --skip-damaged/,
    );
    expect(existsSync(join(folder, 'copy'))).toBe(false);
    const { readable: appended } = await checked();
    const restored = await run(['keep', 'restore', archive, '--skip-damaged', '--json'], 'copy');
    expect(restored.code).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject({ appended, damaged_files: 1 });
  });
});

test('half a restored archive is neither served nor added to: the same restore goes on with it', async () => {
  const one = JSON.stringify(published({ subject: 'one' }));
  await run(['publish', '-'], 'data', one);
  await run(['keep', 'archive', archive]);
  mkdirSync(join(folder, 'copy'));
  markUnfinished({ dataFolder: join(folder, 'copy') });
  const refused = /^catalog: A restore has not finished: .+archive\.partial is there\. Run .+ again, .+\n$/;
  for (const args of [
    ['publish', '-'],
    ['start'],
    ['serve'],
    ['project'],
    ['keys', 'create', '--account', 'a'],
  ]) {
    const { code, stderr } = await run(args, 'copy', one);
    expect(stderr, args.join(' ')).toMatch(refused);
    expect(code, args.join(' ')).toBe(1);
  }
  expect((await run(['keep', 'restore', archive], 'copy')).code).toBe(0);
  expect((await run(['publish', '-'], 'copy', one)).code).toBe(0);
});

test('records that had gone before they were archived make the exit code 1, once', async () => {
  await damagedArchive();
  await using log = openSqliteLog(join(folder, 'data/log.db'));
  await run(['publish', '-'], 'data', JSON.stringify(published({ subject: 's0', revision: 2 })));
  for (const { partition, latest } of await log.ends('catalog.entries'))
    cutLog(join(folder, 'data/log.db'), 'catalog.entries', partition, latest);
  const { code, stdout } = await run(['keep', 'archive', archive]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^GAP catalog\.entries\/\d: positions (\d+) to \1 had gone from the log before they were archived\.$/m,
  );
  expect(await run(['keep', 'archive', archive])).toMatchObject({ code: 0 });
});

test('a full disk, and a folder that is a file, are told in one line that says what to do', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  expect(cannotBeWritten('/backup/x', full).message).toBe(
    '/backup/x cannot be written (ENOSPC). The disk is full: make room, and run the command again.',
  );
  await run(['doctor', 'topics', '--create']);
  const { code, stderr } = await run(['keep', 'archive', join(folder, 'data/log.db')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^catalog: \S+log\.db cannot be written \(EEXIST\)\. .+ name another folder\.\n$/);
});

test('one process at a time restores into a folder', async () => {
  await damagedArchive();
  using _other = lockFolder(join(folder, 'data'));
  const { code, stderr } = await run(['keep', 'restore', archive, '--skip-damaged']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/\ncatalog: Another process restores into \S+data\. Wait until it has ended\.\n$/);
});
