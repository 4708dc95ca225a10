import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { commandsIn, isEveryday, readFile, sh } from '../support/guides.ts';
import { install, type Running } from '../support/process.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { words } from '../support/words.ts';

/** The guides of everyday work, each command as it stands there, on one installation whose service runs. */

const catalog = forAllTests(() => install({ CATALOG_SAMPLE: 'off' }));
let service: Running;
beforeAll(async () => {
  service = await catalog.started();
  const [event = ''] = /(?<=^```json\n).+?(?=^```$)/ms.exec(readFile('docs/guides/erase.md')) ?? [];
  writeFileSync(join(catalog.folder, 'removal.ndjson'), `${JSON.stringify(JSON.parse(event))}\n`);
  const entries = [published({ subject: 'ai-news', revision: 7 }), published({ subject: 'pythonetc' })];
  const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await catalog.catalog(['publish', '-', '--wait'], { input });
}, 300_000);

/** What a guide shows stands for what is here: the id of a key, that of an event, a history that takes long to make. */
async function asHere(command: string): Promise<string> {
  const printed = async (...args: string[]) => (await catalog.catalog(args)).stdout;
  if (command.includes('k_4fGh2LmQ9z')) {
    const { id } = JSON.parse(await printed('keys', 'create', '--account', 'acme', '--json')) as {
      id: string;
    };
    return command.replace('k_4fGh2LmQ9z', id);
  }
  if (command.includes('parked show')) {
    const [id = ''] = /listings@\S+/.exec(await printed('parked', 'list')) ?? [];
    return command.replace(/listings@\S+/, id);
  }
  return command
    .replace('--entries 10000 --days 30 --events 200000', '--entries 100 --days 30 --events 2000')
    .replace('--end now', '--entries 100 --events 2000 --end now');
}

/** A command that finds trouble says so with its exit code; an event of tomorrow is rejected again by this release. */
const FINDS = / (trace|parked list|parked redrive|status)\b/;

describe.each([
  ...words('README.md docs/guides/accounts.md docs/guides/api-keys.md docs/guides/erase.md'),
  ...words('docs/guides/simulate.md docs/guides/parked-events.md'),
])('%s', (page) => {
  const commands = commandsIn(readFile(page)).filter(isEveryday);
  beforeAll(async () => {
    if (page.includes('parked')) await appendUnknownVersion();
  });

  test.each(commands)('%s', async (command) => {
    const { code, stdout, stderr } = await sh(await asHere(command), catalog.folder, catalog.env);
    expect(code, `${stdout}\n${stderr}`).toBeLessThanOrEqual(FINDS.test(command) ? 1 : 0);
    expect(stdout.length + Number(command.includes('>'))).toBeGreaterThan(0);
  });
});

async function appendUnknownVersion(): Promise<void> {
  const event = { ...published({ subject: 'of-tomorrow' }), type: 'catalog.entry.published.v9' };
  await using log = openSqliteLog(join(catalog.folder, 'data/log.db'));
  await log.append([structuredRecord(event)]);
  const parked = async () => (await catalog.catalog(['parked', 'list', '--json'])).stdout;
  await vi.waitFor(async () => expect(await parked()).toContain('unknown_version'), {
    timeout: 120_000,
    interval: 500,
  });
}

test('docs/guides/halted-lanes.md: the service starts with a lane that may accept another log', async () => {
  const [command = ''] = commandsIn(readFile('docs/guides/halted-lanes.md'));
  await service.stop();
  const [, ...args] = command.replace('npm run -s catalog', '').trim().split(' ');
  expect(args.at(-1)).toMatch(new RegExp(`^${LISTINGS}/`));
  await catalog.start(args).printed('Ctrl-C stops.');
});
