import { expect, test } from 'vitest';

import { install } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** What a script gets: JSON and nothing else on standard output, whatever happens. */
const catalog = forAllTests(() => install({ CATALOG_SAMPLE: 'off', ADMIN_PORT: '0', PORT: '0' }));
const run = commandsHere(catalog);

test('a command that is called wrongly says so in JSON, with exit code 2 and one line for people', async () => {
  for (const args of [['parked', 'list', '--limit', '0'], ['statsu'], ['publish'], ['parked', 'redrive']]) {
    const { code, stdout, stderr } = await catalog.catalog([...args, '--json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^catalog: .+\n$/);
    const message = stderr.slice('catalog: '.length).trim();
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message } });
  }
});

test('a command that fails before it has an answer says why; one that has an answer gives that', async () => {
  const { code, stdout } = await run(['parked', 'show', 'nothing', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'failed' } });
  const published = await run(['publish', '-', '--json'], { input: 'no event\n' });
  expect(published.code).toBe(1);
  expect(JSON.parse(published.stdout)).toMatchObject({
    invalid: 1,
    problems: [{ where: 'standard input:1', code: 'not_json' }],
  });
});

test('start says in one line where it listens, once it is ready', async () => {
  const printed = await catalog.start(['start', '--json']).printed(/\{"url".+\}\n/);
  const [line = ''] = /\{"url".+\}/.exec(printed) ?? [];
  const { url, admin_url, demo_key } = JSON.parse(line) as Record<string, string | null>;
  expect((await fetch(`${url}/api/status`)).status).toBe(200);
  expect((await fetch(`${admin_url}/livez`)).status).toBe(200);
  expect(demo_key).toBeNull();
});
