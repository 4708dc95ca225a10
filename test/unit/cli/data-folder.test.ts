import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { composeKeys } from '../../../src/compose/keys-and-accounts.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { demoKey } from '../../../src/cli/commands/start/announcement.ts';
import { makePrivate } from '../../../src/platform/files/private-files.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openParts } from '../../support/parts.ts';

const umask = process.umask();
let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'above', 'data');
});
afterEach(() => process.umask(umask));

async function open(): Promise<Parts> {
  return openParts({ CATALOG_DATA: folder });
}

/** Opens everything that an embedded installation keeps, and leaves it open. */
async function fill(parts: Parts): Promise<void> {
  await ensureTopics(parts);
  await demoKey(parts, await composeKeys(parts));
  await parts.search.declare('listings');
}

function modes(): Readonly<Record<string, string>> {
  const names = readdirSync(folder);
  return Object.fromEntries(
    ['.', ...names].map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

const FILES = ['log.db', 'documents.db', 'search.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);
const PRIVATE = Object.fromEntries([
  ['.', '700'],
  ...[...FILES, 'pepper', 'demo-key'].map((name) => [name, '600']),
] as [string, string][]);

describe.runIf(process.getuid)('a data folder', () => {
  test.each([0o000, 0o022, 0o077])('is its user’s alone, with the umask %o', async (mask) => {
    process.umask(mask);
    await using parts = await open();
    await fill(parts);
    expect(modes()).toEqual(PRIVATE);
    expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
  });

  test('that was loosened has files of its user’s alone again once they are opened; what else is in it stays', async () => {
    {
      await using parts = await open();
      await fill(parts);
    }
    writeFileSync(join(folder, 'holiday.jpg'), '');
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    await using again = await open();
    await fill(again);
    expect(modes()).toEqual({ ...PRIVATE, '.': '755', 'demo-key': '644', 'holiday.jpg': '644' });
  });

  test('takes nothing from a pipe', () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', ['-m', '666', pipe]);
    expect(makePrivate(pipe)).toBe(true);
    expect(statSync(pipe).mode & 0o777).toBe(0o666);
  });
});
