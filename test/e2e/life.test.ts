import { expect, test } from 'vitest';

import { install, type Running } from '../support/process.ts';

/** What a long-running command says of itself in its log. */
async function linesOf(service: Running): Promise<readonly Record<string, unknown>[]> {
  const printed = await service.printed('"msg":"stopped"');
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('a service says that it has started, is ready, is stopped and by what, and every request before that', async () => {
  await using catalog = await install({ LOG_LEVEL: 'info' });
  const service = catalog.start(['serve']);
  await service.printed('"msg":"ready"');
  const url = `http://127.0.0.1:${catalog.env['PORT']}/api/status`;
  for (let count = 0; count < 30; count += 1) await (await fetch(url)).arrayBuffer();
  expect(await service.stop('SIGTERM')).toBe(0);
  const lines = await linesOf(service);
  const life = lines.filter(({ msg }) => msg !== 'request');
  expect(life).toMatchObject([
    { level: 'info', process: 'serve', msg: 'started', node: process.version, documents: 'sqlite' },
    { msg: 'ready', url: expect.stringContaining(String(catalog.env['PORT'])) as string },
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped', drainMs: expect.any(Number) as number },
  ]);
  expect(lines).toHaveLength(4 + 30);
});
