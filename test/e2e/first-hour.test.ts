import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { readFile, scriptsIn, sh } from '../support/guides.ts';
import { installRunning } from '../support/process.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** docs/guides/publish-events.md, run as it stands: its commands in a fresh folder, beside a running service. */
const page = readFile('docs/guides/publish-events.md');

const catalog = forAllTests(() => installRunning({ CATALOG_DATA: 'elsewhere' }));

test('the first hour of an upstream team goes as the guide tells it', async () => {
  expect((await run('1. Write events')).code).toBe(0);

  const [validating = '', mending = ''] = scriptsIn(page, '2. Validate');
  const refused = await here(validating);
  expect(refused.code).toBe(1);
  // The very line that the guide shows.
  const [shown = 'nothing'] = /^events\.ndjson:.+$/m.exec(refused.stderr) ?? [];
  expect(page).toContain(`\n${shown}\n`);
  const mended = await here(mending);
  expect(mended.stdout).toContain('2 valid, 0 invalid; nothing was appended.');

  const published = await run('3. Publish, and wait');
  expect(published).toMatchObject({ code: 0 });
  expect(published.stdout).toMatch(/^2 events appended\.\nIn the documents and the search index\.$/m);

  const again = await run('3. Publish, and wait');
  expect(again.stdout).toMatch(/^Read, and changed nothing: 2 already there\.$/m);

  const seen = await run('4. See it');
  expect(seen.stdout).toMatch(/catalog\.entry\.published +first-2 +\/me +in_force/);
  const key = /cat_live_\w+/.exec(seen.stdout)?.[0] ?? '';
  const path = /'http:\/\/localhost:8080(\/\S+)'/.exec(page)?.[1];
  const url = `http://127.0.0.1:${catalog.env['PORT']}${path}`;
  const response = await fetch(url, { headers: { 'x-api-key': key } });
  expect(await response.json()).toMatchObject({ slug: 'my-channel', title: 'My channel' });

  const [appending = '', looking = ''] = scriptsIn(page, '5. See one that is refused');
  expect((await here(appending)).code).toBe(0);
  await untilAnnounced();
  const told = await here(looking);
  expect(told.stdout).toMatch(/my-channel +.*data\.revision: expected .+ got "x"/);
  expect(told.stdout).toMatch(/unguarded +\/me +parked: data\.revision/);
  // `trace` says with its exit code that something is parked.
  expect(told.code).toBe(1);

  expect((await run('Standard input')).stdout).toContain('2 events appended');
  // A dozen commands, each a process of its own: minutes on a busy machine.
}, 400_000);

async function untilAnnounced(): Promise<void> {
  await using log = openSqliteLog(join(catalog.folder, 'elsewhere/log.db'));
  const told = async () => (await log.ends('catalog.rejected')).some(({ latest }) => latest > 0);
  await expect.poll(told, { timeout: 180_000 }).toBe(true);
}

function run(section: string) {
  return here(scriptsIn(page, section).join(''));
}

/** Runs a script in the folder of the installation, not in that of the project. */
function here(script: string) {
  return sh(script, catalog.folder, catalog.env);
}
