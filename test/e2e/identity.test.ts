import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { EMBEDDED } from '../support/mode.ts';
import { install } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { severalDeployments } from './several-deployments.ts';

severalDeployments(EMBEDDED);

const SERVICES: readonly (readonly string[])[] = [['start'], ['serve'], ['project']];

test('a folder of an earlier release is refused in one line by whatever reads or writes it; its log can be read', async () => {
  await using old = await install({ CATALOG_SAMPLE: 'off' });
  const run = commandsHere(old);
  const input = JSON.stringify(published({ subject: 'kept' }));
  expect((await run(['publish', '-'], { input })).code).toBe(0);
  const folder = String(old.env['CATALOG_DATA']);
  const file = join(folder, 'documents.db');
  {
    await using documents = openSqliteDocuments(file);
    for (const name of ['identity', 'accounts', 'aliases', 'checkpoints', 'fillings', 'keys', LISTINGS]) {
      if (name === 'identity') await documents.drop(name);
      else await documents.declare({ name, indexes: [] });
    }
  }
  const before = readFileSync(file);
  const keys = ['--account', 'acme'];
  const commands = [
    ['status'],
    ['verify'],
    ['parked', 'list'],
    ['doctor', 'identity'],
    ['keys', 'list', ...keys],
    ['keys', 'create', ...keys],
  ];
  for (const args of [...SERVICES, ...commands]) {
    const { code, stdout, stderr } = await (SERVICES.includes(args) ? old.catalog : run)(args);
    const said = stderr.split('\n').filter((line) => line.startsWith('catalog: '));
    expect({ args, code, stdout, said }).toEqual({
      args,
      code: 1,
      stdout: '',
      said: [expect.stringContaining(`${file} was made by an earlier release`)],
    });
  }
  expect(readFileSync(file).equals(before)).toBe(true);
  // What the message advises.
  const env = { CATALOG_DATA: join(old.folder, 'new'), CATALOG_LOG_URL: `sqlite:${join(folder, 'log.db')}` };
  const project = old.start(['project'], env);
  await project.printed('Projecting.');
  const traced = async (): Promise<string> => (await run(['trace', 'kept'], { env })).stdout;
  await expect.poll(traced, { timeout: 60_000, interval: 1000 }).toContain('in_force');
  expect(await project.stop()).toBe(0);
}, 180_000);

test('a copy of a folder gets an identity of its own by "doctor identity --renew"', async () => {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  const run = commandsHere(installation);
  const none = await run(['doctor', 'identity']);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no data in') });
  await run(['keys', 'create', '--account', 'acme']);
  const shown = async (env = {}) => (await run(['doctor', 'identity'], { env })).stdout.trim();
  const original = await shown();
  const copy = { CATALOG_DATA: join(installation.folder, 'copy') };
  cpSync(String(installation.env['CATALOG_DATA']), copy.CATALOG_DATA, { recursive: true });
  expect(await shown(copy)).toBe(original);
  const { stdout } = await run(['doctor', 'identity', '--renew'], { env: copy });
  expect(await shown(copy)).toBe(stdout.trim());
  expect(stdout.trim()).not.toBe(original);
  expect(await shown()).toBe(original);
}, 60_000);
