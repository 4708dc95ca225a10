import { expect, test } from 'vitest';

import { freePort } from '../support/free-ports.ts';
import { install } from '../support/process.ts';
import { readyz } from '../support/readyz.ts';

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
