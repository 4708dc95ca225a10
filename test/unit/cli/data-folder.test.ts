import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { composeKeys } from '../../../src/compose/access.ts';
import { protectDataFolder } from '../../../src/compose/data-folder.ts';
import { compose, type Parts } from '../../../src/compose/parts.ts';
import { ensureTopics } from '../../../src/compose/projector.ts';
import { demoKey } from '../../../src/cli/commands/start/demo.ts';
import { readConfig } from '../../../src/config.ts';
import { captureLog } from '../../support/captured-log.ts';
import { makePrivate } from '../../../src/platform/private-files.ts';
import { temporaryFolder } from '../../support/folder.ts';

const umask = process.umask();
let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'above', 'data');
});
afterEach(() => process.umask(umask));

function open(): Parts {
  return compose(readConfig({ CATALOG_DATA: folder }), 'test', { logger: captureLog().logger });
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
    await using parts = open();
    await fill(parts);
    expect(modes()).toEqual(PRIVATE);
    expect(statSync(join(folder, '..')).mode & 0o777).toBe(0o700);
  });

  test('of an older release is made so at the next start', async () => {
    {
      await using parts = open();
      await fill(parts);
    }
    chmodSync(folder, 0o755);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    const log = captureLog();
    protectDataFolder(readConfig({ CATALOG_DATA: folder }), log.logger);
    await using again = open();
    await fill(again);
    expect(modes()).toEqual(PRIVATE);
    expect(log.said()).toEqual([]);
  });

  test('that holds other things as well stays as it is, with a warning; the files are protected', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'holiday.jpg'), '', { mode: 0o644 });
    chmodSync(join(folder, 'holiday.jpg'), 0o644);
    const log = captureLog();
    await using parts = open();
    await fill(parts);
    protectDataFolder(readConfig({ CATALOG_DATA: folder }), log.logger);
    expect(modes()).toEqual({ ...PRIVATE, '.': '755', 'holiday.jpg': '644' });
    expect(log.said()).toEqual(['warn: other users may look into the data folder: it is not ours alone']);
  });

  test('takes nothing from a device or a pipe, and nothing from a path that is no folder', () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', ['-m', '666', pipe]);
    expect(makePrivate(pipe)).toBe(true);
    expect(statSync(pipe).mode & 0o777).toBe(0o666);
    const log = captureLog();
    for (const CATALOG_DATA of ['/dev/null', '/dev/null/x', 'x'.repeat(300), join(folder, 'missing')]) {
      expect(() => protectDataFolder(readConfig({ CATALOG_DATA }), log.logger)).not.toThrow();
    }
    expect(log.said()).toEqual([]);
  });

  test('that everybody may write (/tmp) stays as it is', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    protectDataFolder(readConfig({ CATALOG_DATA: folder }), captureLog().logger);
    expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  test('that nothing is kept in is left alone: in the image it cannot be changed', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    const elsewhere = {
      CATALOG_DATA: folder,
      CATALOG_LOG_URL: 'kafka://kafka:9092',
      CATALOG_DOCUMENTS_URL: 'mongodb://mongodb/catalog',
      CATALOG_SEARCH_URL: 'http://meilisearch:7700',
      CATALOG_SEARCH_KEY: 'a-key',
      CATALOG_KEY_PEPPER: 'a pepper of the tests',
    };
    const log = captureLog();
    protectDataFolder(readConfig(elsewhere), log.logger);
    expect(modes()).toEqual({ '.': '755' });
    protectDataFolder(readConfig({ ...elsewhere, CATALOG_LOG_URL: undefined }), log.logger);
    expect(modes()).toEqual({ '.': '700' });
    expect(log.said()).toEqual([]);
  });
});
