import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { freePort, install, type Installation } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';

interface Readyz {
  readonly status: number;
  readonly details: string;
}

async function readyz({ env }: Installation): Promise<Readyz | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${env['ADMIN_PORT']}/readyz`);
    const { checks } = (await response.json()) as { readonly checks: readonly { readonly detail: string }[] };
    return { status: response.status, details: checks.map(({ detail }) => detail).join('; ') };
  } catch {
    return null;
  }
}

test('serve waits for a store that is not there yet, says for which, and stops in peace', async () => {
  const nobody = `mongodb://127.0.0.1:${await freePort()}/catalog`;
  await using catalog = await install({
    CATALOG_DOCUMENTS_URL: nobody,
    CATALOG_KEY_PEPPER: 'a pepper of the tests',
  });
  const serve = catalog.start(['serve']);
  const said = await serve.printed('"msg":"waiting to start"');
  expect(said).toContain('"what":"the documents store"');
  expect(await readyz(catalog)).toMatchObject({
    status: 503,
    details: expect.stringContaining('waiting: the documents store: MongoDB') as string,
  });
  expect(await serve.stop()).toBe(0);
});

test('project waits for a log that is not there yet, says so, and stops in peace', async () => {
  await using catalog = await install({ CATALOG_LOG_URL: `kafka://127.0.0.1:${await freePort()}` });
  const project = catalog.start(['project']);
  expect(await project.printed('"msg":"waiting to start"')).toContain('"what":"the topics of the log"');
  expect(await readyz(catalog)).toMatchObject({ status: 503 });
  expect(await project.stop()).toBe(0);
});

test('what no waiting mends ends a start at once, in one line', async () => {
  await using catalog = await install({ CATALOG_DATA: '/proc/nowhere' });
  for (const command of ['serve', 'project']) {
    const { code, stderr } = await catalog.catalog([command]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: The data folder \/proc\/nowhere cannot be created .+\n$/m);
  }
});

test('a first start that was killed while it filled the log is made good by the next one, which is not ready before the sample is served', async () => {
  await using catalog = await install({ CATALOG_SAMPLE: 'once' });
  await using parts = compose(readConfig(catalog.env), 'test');
  const killed = catalog.start();
  for (;;) {
    const ends = await parts.log.ends('catalog.metrics');
    if (ends.some(({ latest }) => latest > 0)) break;
    await setImmediate();
  }
  await killed.stop('SIGKILL');

  catalog.start();
  const seen: number[] = [];
  let found: Readyz | null = null;
  while (found?.status !== 200) {
    found = await readyz(catalog);
    if (found) seen.push(found.status);
  }
  expect(seen.length).toBeGreaterThan(1);
  expect(found.details).toContain('serving listings@1, categories@1, monitor@1');
  // What is ready has all of it, but for the past of the monitor, which comes in the background.
  const { stdout } = await commandsHere(catalog)(['status', '--json']);
  const { read_models: models } = JSON.parse(stdout) as {
    read_models: readonly { readonly read_model: string; readonly lag: number }[];
  };
  const whole = models.filter(({ read_model }) => read_model !== 'monitor@1');
  expect(whole.map(({ lag }) => lag)).toEqual([0, 0]);
  const [all] = await parts.documents.count('listings@1', { where: { 'view.published': true }, by: [] });
  expect(all?.count).toBe(1276);
}, 180_000);
