import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Says which files a process has loaded, on its standard error, as it exits. */
const SPY = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  process.on('exit', () => process.stderr.write(loaded.join('\\n')));
`)}`;

async function loadedBy(...args: readonly string[]): Promise<{ commands: string[]; packages: string[] }> {
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', SPY, 'src/main.mjs', ...args], {
    cwd: root,
  });
  const named = (pattern: RegExp): string[] => [
    ...new Set(stderr.matchAll(pattern).map(([, name]) => String(name))),
  ];
  return {
    commands: named(/\/src\/cli\/commands\/([^.\n]+)/g).toSorted(),
    packages: named(/\/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g),
  };
}

test.each(['--help', 'keys --help'])('an overview of commands loads none of them: %s', async (words) => {
  expect(await loadedBy(...words.split(' '))).toEqual({ commands: [], packages: ['commander'] });
});

test('a command loads those of its subject, and neither another one nor a service’s client', async () => {
  const { commands, packages } = await loadedBy('keys', 'list', '--help');
  expect(commands).toEqual(['keys']);
  for (const heavy of ['mongodb', 'kafkajs', 'meilisearch', 'express', 'openid-client'])
    expect(packages).not.toContain(heavy);
});
