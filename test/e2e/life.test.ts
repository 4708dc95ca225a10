import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { install, type Running } from '../support/process.ts';

/** What a long-running command says of itself in its log. */
async function linesOf(service: Running): Promise<readonly Record<string, unknown>[]> {
  const printed = await service.printed('"msg":"stopped"');
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a service says that it has started, where it is, is stopped and by what, and every request before that; ready is what /readyz says', async () => {
  await using catalog = await install({ LOG_LEVEL: 'info' });
  const service = catalog.start(['serve']);
  await service.printed('"msg":"not ready yet"');
  const url = `http://127.0.0.1:${catalog.env['PORT']}/api/status`;
  for (let count = 0; count < 15; count += 1) await (await fetch(url)).arrayBuffer();
  expect(await service.stop('SIGTERM')).toBe(0);
  const lines = await linesOf(service);
  const life = lines.filter(({ msg }) => msg !== 'request');
  expect(life).toMatchObject([
    { level: 'info', process: 'serve', msg: 'started', node: process.version, documents: 'sqlite' },
    {
      msg: 'not ready yet',
      url: expect.stringContaining(String(catalog.env['PORT'])) as string,
      reason: expect.stringContaining('nobody has ever projected here') as string,
    },
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped', drainMs: expect.any(Number) as number },
  ]);
  expect(lines).toHaveLength(4 + 15);
  // It serves: it reads no log.
  expect(life[0]).not.toHaveProperty('log');
});

test.skipIf(process.platform === 'win32')('SIGTERM to npm ends the service that it runs', async () => {
  await using catalog = await install({ CATALOG_SAMPLE: 'off', LOG_LEVEL: 'info' });
  const npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...catalog.env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(npm, 'exit');
  let log = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await expect.poll(() => log).toContain('"ready"');
  const pid = Number(/"pid":(\d+)/.exec(log)?.[1]);
  onTestFinished(() => void (isThere(pid) && process.kill(pid, 'SIGKILL')));
  npm.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isThere(pid)).toBe(false);
  expect(log).toContain('"stopped"');
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
