import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { startProjector } from '../../src/compose/projector.ts';
import { readConfig } from '../../src/config.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { backUp } from '../../src/keep/backup-and-restore.ts';
import { published } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';
import { openSqlite } from '../../src/platform/sqlite/open-database.ts';
import { openParts } from '../support/parts.ts';

const NEVER = new AbortController().signal;

function backedUp(data: string, folder: string, signal = NEVER) {
  return backUp(readConfig({ CATALOG_DATA: data }), folder, { now: () => 0, signal });
}

async function restored(folder: string, data: string, env: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await runHere(['keep', 'restore', folder], { CATALOG_DATA: data, ...env });
  if (code !== 0) throw new Error(stderr);
  return stderr;
}

function newFolder(): string {
  return join(temporaryFolder(), 'new');
}

/** An installation with a key and some entries, projected; what it runs ends with the test. */
async function installation(...slugs: readonly string[]): Promise<string> {
  const data = newFolder();
  const env = { CATALOG_DATA: data };
  expect((await runHere(['keys', 'create', '--account', 'me'], env)).code).toBe(0);
  await projecting(data);
  await publish(data, ...slugs);
  return data;
}

async function projecting(data: string): Promise<void> {
  const parts = await openParts({ CATALOG_DATA: data, LOG_LEVEL: 'silent' });
  const projector = await startProjector(parts, { acceptGaps: [] });
  onTestFinished(async () => {
    await projector[Symbol.asyncDispose]();
    await parts[Symbol.asyncDispose]();
  });
}

async function publish(data: string, ...slugs: readonly string[]): Promise<void> {
  const input = slugs.map((subject) => JSON.stringify(published({ subject }))).join('\n');
  const { code, stderr } = await runHere(['publish', '-', '--wait'], { CATALOG_DATA: data }, input);
  expect(code, stderr).toBe(0);
}

describe('a backup', () => {
  test('is of one moment, however much is written meanwhile, and stops no writer', async () => {
    const data = newFolder();
    await using log = openSqliteLog(join(data, 'log.db'));
    await log.ensureTopics([{ name: 'catalog.entries', partitions: 1, retentionMs: null }]);
    const batch = Array.from({ length: 1000 }, (_, index) => ({
      topic: 'catalog.entries',
      key: `k${index}`,
      headers: {},
      value: Buffer.alloc(2000, 'x'),
    }));
    for (let time = 0; time < 10; time += 1) await log.append(batch);
    const documents = openSqlite(join(data, 'documents.db'), { durability: 'normal', busyMs: 5000 });
    documents.exec('CREATE TABLE one (a); PRAGMA user_version = 1');
    documents.close();

    const done = new AbortController();
    let appended = 0;
    const folder = newFolder();
    const write = async (): Promise<void> => {
      while (!done.signal.aborted) {
        appended += (await log.append(batch.slice(0, 7))).length;
        await nextTurn();
      }
    };
    const writing = write();
    await backedUp(data, folder).finally(() => done.abort());
    await writing;
    expect(appended).toBeGreaterThan(0);
    await using copy = openSqliteLog(join(folder, 'log.db'), { access: 'read' });
    const [end] = await copy.ends('catalog.entries');
    // Whole appends, and as many records as the ends say.
    expect(((end?.latest ?? 0) - 10_000) % 7).toBe(0);
    let count = 0;
    const range = { topic: 'catalog.entries', partition: 0, from: 0, to: end?.latest ?? 0 };
    for await (const { records } of copy.read(range)) count += records.length;
    expect(count).toBe(end?.latest);
  });

  test('has the pepper, and is for this user alone', async () => {
    const data = await installation('a');
    const folder = newFolder();
    await backedUp(data, folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'pepper'))).toEqual(readFileSync(join(data, 'pepper')));
  });

  test('takes an empty folder, in which a killed one may have left something begun', async () => {
    const data = await installation('a');
    const folder = newFolder();
    mkdirSync(folder);
    for (const name of ['documents.db.partial', 'log.db.partial-journal'])
      writeFileSync(join(folder, name), 'half');
    await backedUp(data, folder);
    expect(readdirSync(folder).toSorted()).toEqual(['documents.db', 'log.db', 'manifest.json', 'pepper']);
    await expect(backedUp(data, folder)).rejects.toThrow(/holds a backup or an archive already/);
  });

  test('is never made in a data folder, nor in one that holds anything', async () => {
    const data = await installation('a');
    const names = readdirSync(data);
    await expect(backedUp(data, data)).rejects.toThrow(/is not empty/);
    expect(readdirSync(data)).toEqual(names);
  });

  test('that is stopped leaves nothing', async () => {
    const data = await installation('a');
    const folder = newFolder();
    const stopped = AbortSignal.abort();
    await expect(backedUp(data, folder, stopped)).rejects.toThrow('told to stop');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    [
      'mongodump',
      { CATALOG_DOCUMENTS_URL: 'mongodb://localhost/catalog', CATALOG_KEY_PEPPER: 'x'.repeat(16) },
    ],
    ['archive', { CATALOG_LOG_URL: 'kafka://localhost:9092' }],
  ])('of services is refused, and %s named', async (tool, env) => {
    const folder = newFolder();
    const { code, stderr } = await runHere(['keep', 'backup', folder], { CATALOG_DATA: newFolder(), ...env });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^catalog: The (documents|log) .+${tool}.+\n$`));
    expect(existsSync(folder)).toBe(false);
  });
});

describe('a restored backup', () => {
  test.each(['documents.db', 'log.db', 'pepper'])(
    'is refused, and nothing written, where %s has changed',
    async (name) => {
      const [folder, copy] = [newFolder(), newFolder()];
      await backedUp(await installation('a'), folder);
      const bytes = readFileSync(join(folder, name));
      bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
      writeFileSync(join(folder, name), bytes);
      await expect(restored(folder, copy)).rejects.toThrow(
        `${join(folder, name)}: it is not as it was written (SHA-256)`,
      );
      expect(existsSync(copy)).toBe(false);
    },
  );

  test('is gone on with where a killed restore has left a part of it', async () => {
    const [folder, copy] = [newFolder(), newFolder()];
    await backedUp(await installation('a'), folder);
    mkdirSync(copy);
    copyFileSync(join(folder, 'documents.db'), join(copy, 'documents.db'));
    writeFileSync(join(copy, 'log.db.partial'), 'half');
    await restored(folder, copy);
    expect(readdirSync(copy).toSorted()).toEqual(['documents.db', 'log.db', 'pepper']);
    expect(readFileSync(join(copy, 'log.db'))).toEqual(readFileSync(join(folder, 'log.db')));
  });

  test('says that its pepper is not the one that counts, where the environment has one', async () => {
    const [folder, copy] = [newFolder(), newFolder()];
    await backedUp(await installation('a'), folder);
    const env = { CATALOG_KEY_PEPPER: 'another pepper of the tests' };
    expect(await restored(folder, copy, env)).toContain('Its pepper is not restored');
    expect(existsSync(join(copy, 'pepper'))).toBe(false);
  });
});

test('documents of a backup catch up with a newer log; with an older one their lanes halt', async () => {
  const data = await installation('a');
  const [older, newer] = [newFolder(), newFolder()];
  await backedUp(data, older);
  await publish(data, 'b', 'c');
  await backedUp(data, newer);

  const behind = newFolder();
  await restored(older, behind);
  copyFileSync(join(newer, 'log.db'), join(behind, 'log.db'));
  await projecting(behind);
  const verify = async () =>
    JSON.parse((await runHere(['verify', '--json'], { CATALOG_DATA: behind })).stdout) as { ok: boolean };
  await expect.poll(verify).toMatchObject({ ok: true });
  const { stdout } = await runHere(['verify', '--json'], { CATALOG_DATA: data });
  expect(digestsIn(stdout)).toEqual(digestsIn(JSON.stringify(await verify())));

  const ahead = newFolder();
  await restored(newer, ahead);
  copyFileSync(join(older, 'log.db'), join(ahead, 'log.db'));
  await projecting(ahead);
  const status = async () => (await runHere(['status', '--json'], { CATALOG_DATA: ahead })).stdout;
  await expect.poll(status).toContain('log_younger');
});

function digestsIn(verified: string): readonly string[] {
  const { read_models } = JSON.parse(verified) as { read_models: readonly { digest: string }[] };
  return read_models.map(({ digest }) => digest);
}
