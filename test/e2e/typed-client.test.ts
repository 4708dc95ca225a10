import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { readGuide } from '../../src/api/pages/docs/guide-sections.ts';
import { runApi, type RunningApi } from '../support/api.ts';
import { measured, published } from '../support/events.ts';

/** The workspace of a consumer, with the compiler that the generator of its types needs. */
const workspace = join(import.meta.dirname, '../typed-client');

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a script in the workspace on the pinned Node; a script of a package is such a script too. */
function node(script: string, args: readonly string[], key = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: workspace, env: { ...process.env, CATALOG_KEY: key } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}` });
    });
  });
}

describe('a client whose types are generated from the committed document', () => {
  let generated: Ended;
  beforeAll(async () => {
    const document = '../../docs/reference/openapi.json';
    const generator = 'node_modules/openapi-typescript/bin/cli.js';
    generated = await node(generator, [document, '--output', 'catalog-api.d.ts']);
    const guide = await readFile(join(workspace, '../../docs/guides/typed-client.md'), 'utf8');
    await writeFile(join(workspace, 'guide.ts'), String(/^```ts\n(.+?)^```/ms.exec(guide)?.[1]));
    const page = readGuide().en.get('client') ?? '';
    const program = String(/^```typescript .*?\n(.+?)^```/ms.exec(page)?.[1]);
    await writeFile(join(workspace, 'page.ts'), program.replace('catalog.d.ts', 'catalog-api.d.ts'));
  });

  test('compiles strictly, that of the guide and of the developer page too, and every wrong use of it does not', async () => {
    expect(generated).toMatchObject({ code: 0 });
    expect(await node('node_modules/typescript/bin/tsc', [])).toEqual({ code: 0, output: '' });
  });

  test('pages, narrows by kind, asks again for nothing, and tells errors apart', async () => {
    await using api = await runApi();
    await fill(api);
    const { code, output } = await node('sample.ts', [`${api.url}/api/v1`], api.key);
    expect(output.split('\n')).toEqual([
      'News bot: 7000',
      'Old news: unknown',
      'AI News: 182400',
      'AI News: 41000 views',
      'News bot: 12 commands',
      'There is no such entry.',
      '304, costs 0',
      '',
    ]);
    expect(code).toBe(0);
  });

  test('is told when the quota of the day is used up, and that a key is missing', async () => {
    await using api = await runApi({ dailyLimit: 3 });
    await fill(api);
    const spent = await node('sample.ts', [`${api.url}/api/v1`], api.key);
    expect(spent.output).toMatch(/^AI News: 41000 views\nNo requests are left today: again in \d+ s\.$/m);
    const nameless = await node('sample.ts', [`${api.url}/api/v1`]);
    expect(nameless).toEqual({ code: 1, output: 'Set CATALOG_KEY to an API key.\n' });
  });
});

async function fill(api: RunningApi): Promise<void> {
  await api.project(
    published({ subject: 'ai-news' }),
    measured({ subject: 'ai-news', subscribers: 182_400, avg_views: 41_000 }),
    published({ subject: 'news-bot', kind: 'bot', username: 'news_bot', title: { en: 'News bot' } }),
    measured({ subject: 'news-bot', kind: 'bot', monthly_users: 7000, commands_count: 12 }),
    published({ subject: 'old-news', username: 'old_news', title: { en: 'Old news' } }),
  );
}
