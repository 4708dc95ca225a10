import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { measured } from '../support/events.ts';
import { readFile, scriptsIn, sh as runScript } from '../support/guides.ts';
import { freePort } from '../support/free-ports.ts';
import { install, type Installation, type RunCommand } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { fakeClock } from '../support/test-clock.ts';

/** docs/guides/backup-and-archive.md, run as it stands, beside a working service. */
const page = readFile('docs/guides/backup-and-archive.md');
const EVENTS = 6000;

let catalog: Installation;
let run: RunCommand;
let key: string;
let before: Verified;
beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off', CATALOG_DATA: 'data' });
  await fillOddly(join(catalog.folder, 'data/log.db'));
  run = (args, options) =>
    commandsHere(catalog)(args, {
      ...options,
      env: { CATALOG_DATA: join(catalog.folder, 'data'), ...options?.env },
    });
  const history = await run(['simulate', '--entries', '200', '--events', String(EVENTS)]);
  // Records of a simulated history look like restored ones, and a restore onto restored records goes on.
  await run(['publish', '-'], { input: history.stdout.replaceAll('"/simulated/', '"/upstream/') });
  await catalog.started();
  key = (await run(['keys', 'create', '--account', 'me'])).stdout.trim();
  before = await verified('data');
}, 120_000);
afterAll(() => catalog[Symbol.asyncDispose]());

describe('the guide', () => {
  test('archives the log, again and again, and checks it', async () => {
    const [first = '', again = ''] = scriptsIn(page, '1. Archive the log');
    const said = /^([\d,]+) records archived in .+, in \d+ new files; the archive has /m;
    const [, records = ''] = said.exec((await sh(first)).stdout) ?? [];
    expect(Number(records.replace(',', ''))).toBeGreaterThan(EVENTS);
    expect((await sh(again)).stdout).toContain('0 records archived in ');
    const [line = ''] = (await sh(scriptsIn(page, '2. Read it').join(''))).stdout.split('\n');
    expect(JSON.parse(line)).toMatchObject({ position: 0 });
    const checked = await sh(scriptsIn(page, '3. Check it').join(''));
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toMatch(/^All of \d+ files are whole: [\d,]+ records\.$/m);
  });

  test('restores the archive into a log whose fold has the same bytes', async () => {
    expect(await sh(scriptsIn(page, '4. Restore it into an empty log').join(''))).toMatchObject({ code: 0 });
    await using _service = await started('restored');
    expect(await verified('restored')).toEqual(before);
    await expect.poll(() => verifies('restored')).toBe(0);
    // What was observed too long after it was told stays refused, though the log's own time is another one now.
    const parked = await run(['parked', 'list', '--code', 'from_the_future', '--json'], inFolder('restored'));
    expect(parked.stdout).toContain('"subject": "from-the-future"');
  });

  test('backs up what runs, and restores it: same documents, same keys, search again', async () => {
    const made = await sh(scriptsIn(page, '5. Back up an embedded installation').join(''));
    expect(made).toMatchObject({ code: 0 });
    expect(readdirSync(join(catalog.folder, 'backup')).toSorted()).toEqual([
      'documents.db',
      'log.db',
      'manifest.json',
      'pepper',
    ]);
    expect(await sh(scriptsIn(page, '6. Restore the backup').join(''))).toMatchObject({ code: 0 });
    const recovered = join(catalog.folder, 'recovered');
    for (const name of readdirSync(recovered))
      expect(statSync(join(recovered, name)).mode & 0o777).toBe(0o600);
    await using service = await started('recovered');
    expect(await verified('recovered')).toEqual(before);
    const url = `http://127.0.0.1:${service.port}/api/v1/search?q=a&locale=en`;
    const ask = async (): Promise<number> => (await fetch(url, { headers: { 'x-api-key': key } })).status;
    await expect.poll(ask).toBe(200);
    await expect.poll(() => verifies('recovered')).toBe(0);
  });
});

test('what cannot be restored says so in one line, with its exit code', async () => {
  const archive = join(catalog.folder, 'archive');
  for (const [args, code, line] of [
    [
      ['keep', 'restore', join(catalog.folder, 'nothing')],
      2,
      /^catalog: There is no archive and no backup in /,
    ],
    [['keep', 'restore', archive], 1, /^catalog: The log is not empty: /],
    [['keep', 'restore', join(catalog.folder, 'backup')], 2, /^catalog: The data folder .+ is not empty: /],
    [['keep', 'archive', join(catalog.folder, 'data')], 2, /^catalog: .+ is not empty: .+ is there\./],
    [['keep', 'backup', archive], 2, /^catalog: .+ holds a backup or an archive already\./],
  ] as const) {
    const found = await run([...args, '--json']);
    expect(found.code, args.join(' ')).toBe(code);
    expect(found.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(found.stderr).toMatch(line);
  }
});

/** Records that no upstream should write, in a log whose time was another one. */
async function fillOddly(path: string): Promise<void> {
  const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'));
  await using log = openSqliteLog(path, { clock });
  const topics = ['catalog.entries', 'catalog.metrics'];
  await log.ensureTopics(topics.map((name) => ({ name, partitions: 6, retentionMs: null })));
  const told = { measured_at: '2026-01-05T00:00:00Z', time: '2026-01-05T00:00:00Z' };
  const late = structuredRecord(measured({ subject: 'from-the-future', ...told }));
  const odd = { topic: 'catalog.entries', headers: { 'x-odd': '"\n' } };
  await log.append([
    late,
    { ...odd, key: 'tombstone', value: null },
    { ...odd, key: null, value: Buffer.from('{}') },
    { ...odd, key: 'binary', value: Buffer.from([0, 255, 254, 10]) },
  ]);
}

interface Verified {
  readonly ok: boolean;
  /** Of each read model: how many documents there are, and their digest. */
  readonly digests: readonly (readonly [string, number, string])[];
}

interface VerifiedModel {
  readonly read_model: string;
  readonly ok: boolean;
  readonly documents: number;
  readonly digest: string;
  readonly lag: number;
}

/** What `verify` says once everything is projected. */
async function verified(data: string): Promise<Verified> {
  for (;;) {
    const { stdout } = await run(['verify', '--json'], inFolder(data));
    const { read_models } = JSON.parse(stdout) as {
      readonly read_models: readonly VerifiedModel[];
    };
    if (read_models.some(({ lag }) => lag > 0)) continue;
    const ok = read_models.every((one) => one.ok);
    return { ok, digests: read_models.map((one) => [one.read_model, one.documents, one.digest]) };
  }
}

/** Whether the index is as the documents are, too. */
async function verifies(data: string): Promise<number> {
  return (await run(['verify'], inFolder(data))).code;
}

function inFolder(data: string) {
  return { env: { CATALOG_DATA: join(catalog.folder, data) } };
}

async function started(data: string): Promise<AsyncDisposable & { readonly port: number }> {
  const port = await freePort();
  const env = { CATALOG_DATA: data, PORT: String(port), ADMIN_PORT: '0' };
  const service = await catalog.started(env);
  return { port, [Symbol.asyncDispose]: async () => void (await service.stop()) };
}

/** Runs a script in the folder of the installation. */
function sh(script: string): ReturnType<typeof runScript> {
  expect(script).not.toBe('');
  return runScript(script, catalog.folder, catalog.env);
}
