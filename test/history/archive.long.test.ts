import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { ensureTopics } from '../../src/compose/projector.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { NewRecord } from '../../src/events/log/port.ts';
import { structuredRecord } from '../../src/events/structured-record.ts';
import { simulatedHistory } from '../../src/sample/simulated/history.ts';
import { freePort } from '../support/free-ports.ts';
import { install, type Installation } from '../support/process.ts';
import { sizeOf } from '../support/sizes.ts';

/** A long log: archived, restored elsewhere, projected and made again there; and an archive of it that was damaged. */
const SIZE = { entries: sizeOf('ARCHIVE_ENTRIES'), events: sizeOf('ARCHIVE_EVENTS') };
const BATCH = 2000;

let catalog: Installation;
let before: readonly unknown[];
beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off' });
  await fillLog();
  before = await digests('data', async () => undefined);
}, 3_600_000);
afterAll(() => catalog[Symbol.asyncDispose]());

async function fillLog(): Promise<void> {
  await using parts = await compose(readConfig(catalog.env), 'test');
  await parts.identity();
  await ensureTopics(parts);
  const batch: NewRecord[] = [];
  for (const event of simulatedHistory({ ...SIZE, days: 30, seed: 3, endMs: Date.UTC(2026, 0, 1) })) {
    batch.push(structuredRecord(event));
    if (batch.length === BATCH) await parts.log.append(batch.splice(0));
  }
  await parts.log.append(batch);
}

interface Verified {
  readonly ok: boolean;
  readonly read_models: readonly {
    readonly read_model: string;
    readonly documents: number;
    readonly digest: string;
    readonly lag: number;
  }[];
}

/** Of each live read model, once everything is projected and indexed, and `meanwhile` is done. */
async function digests(data: string, meanwhile: () => Promise<void>): Promise<readonly unknown[]> {
  const port = String(await freePort());
  const service = catalog.start(['start'], { ...inFolder(data).env, PORT: port, ADMIN_PORT: '0' });
  await service.printed('Ctrl-C stops.');
  try {
    await vi.waitUntil(async () => (await verify(data)).ok, { timeout: 3_600_000, interval: 5000 });
    await meanwhile();
    const { read_models } = await verify(data);
    return read_models.map(({ documents, digest }) => [documents, digest]);
  } finally {
    await service.stop();
  }
}

async function verify(data: string): Promise<Verified> {
  const { code, stdout } = await catalog.catalog(['verify', '--json'], inFolder(data));
  const verified = JSON.parse(stdout) as Verified;
  return { ...verified, ok: code === 0 && verified.read_models.every(({ lag }) => lag === 0) };
}

function inFolder(data: string): { readonly env: Readonly<Record<string, string>> } {
  return { env: { CATALOG_DATA: join(catalog.folder, data) } };
}

async function done(data: string, ...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await catalog.catalog([...args, '--json'], inFolder(data));
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
  return JSON.parse(stdout);
}

test('its archive makes another installation with the same documents, by folding live and by a rebuild', async () => {
  const archive = join(catalog.folder, 'archive');
  await done('data', 'archive', archive);
  expect(await done('data', 'archive', archive, '--check')).toMatchObject({ ok: true });
  await done('restored', 'restore', archive);
  expect(await digests('restored', async () => undefined)).toEqual(before);
  const rebuilt = await digests('restored', async () => {
    await done('restored', 'rebuild', 'listings', '--cut-over');
  });
  expect(rebuilt).toEqual(expect.arrayContaining([...before]));
});

test('a flipped byte in the archive is found and named, and what is damaged is not restored', async () => {
  const archive = join(catalog.folder, 'archive');
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson.gz'))
    .toSorted((a, b) => statSync(join(archive, b)).size - statSync(join(archive, a)).size);
  const [largest = ''] = files;
  const path = join(archive, largest);
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const checked = await catalog.catalog(['archive', archive, '--check', '--json']);
  expect(checked.code).toBe(1);
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, damaged: [{ path: largest }] });
  const restored = await catalog.catalog(['restore', archive], inFolder('copy'));
  expect(restored.code).toBe(1);
  expect(restored.stderr).toContain(largest);
  expect(restored.stderr).toContain('Nothing was restored');
});

test('a backup of the working service makes another installation with the same documents', async () => {
  const backup = join(catalog.folder, 'backup');
  await digests('data', async () => {
    await done('data', 'backup', backup);
  });
  await done('recovered', 'restore', backup);
  expect(await digests('recovered', async () => undefined)).toEqual(before);
});
