import { expect, test } from 'vitest';

import { SESSIONS } from '../../../src/access/accounts/sessions.ts';
import { composeKeys } from '../../../src/compose/keys-and-accounts.ts';
import { serveAccounts } from '../../../src/compose/accounts-server.ts';
import { serveApi } from '../../../src/compose/api.ts';
import { withoutWaiting } from '../../../src/compose/retry-start-up.ts';
import { GUARDED, withoutAccounts } from '../../../src/compose/read-only-accounts.ts';
import { faulty } from '../../support/faulty.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { visitor } from '../../support/visitor.ts';
import { openParts } from '../../support/parts.ts';

async function composed() {
  return await openParts({ CATALOG_DATA: temporaryFolder(), PORT: '0', HOST: '127.0.0.1' });
}

test('a process that serves the API alone opens no account, key or session for writing', async () => {
  await using parts = await composed();
  const keys = await composeKeys(parts);
  const made = await keys.create('acme');
  const documents = faulty(parts.documents);
  const watched = Object.create(parts, { documents: { value: documents } }) as typeof parts;
  await using api = await serveApi(withoutAccounts(watched), withoutWaiting, 'elsewhere');
  const headers = { 'x-api-key': made.outcome === 'created' ? made.key : '' };
  for (const path of ['/api/v1/top', '/api/v1/search?q=x', '/en', '/en/account', '/api/v1/nothing'])
    await fetch(`${api.url}${path}`, { headers });
  const isChange = (call: string) => /^(?:declare|write|remove|drop) /.test(call);
  const changed = documents.calls
    .filter(isChange)
    .map((call) => /^\w+ \[(?:\{"name":)?"([^"]+)"/.exec(call)?.[1] ?? '');
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.filter((name) => GUARDED.has(name))).toEqual([]);
});

test.each([...GUARDED])('it could not write %s if it tried', async (collection) => {
  await using parts = await composed();
  const { documents } = withoutAccounts(parts);
  await expect(documents.write(collection, [])).rejects.toThrow('may not write');
  await expect(documents.remove(collection, [])).rejects.toThrow('may not write');
  await expect(documents.drop(collection)).rejects.toThrow('may not write');
});

test('the account pages are not ready where no session can be written', async () => {
  await using parts = await composed();
  const documents = faulty(parts.documents);
  const watched = Object.create(parts, { documents: { value: documents } }) as typeof parts;
  await using site = await serveAccounts(watched, withoutWaiting);
  documents.failCollections = [SESSIONS.name];
  expect(await site.checks.documents()).toMatchObject({ ok: false });
});

test('a process of their own serves account pages and the files that they load, and nothing else', async () => {
  await using parts = await composed();
  await using site = await serveAccounts(parts, withoutWaiting);
  const one = visitor(site.url);
  const page = await one.get('/en/account');
  expect(page.status).toBe(200);
  const [, asset = ''] = /href="\.\.\/(assets\/account\.[^"]+)"/.exec(page.text) ?? [];
  expect((await one.get(`/${asset}`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
  for (const path of ['/', '/en', '/api/v1/top', '/accounts/xx', '/assets/x.css', '/en/accountx'])
    expect((await one.get(path)).status, path).toBe(404);
  expect(await site.checks.documents()).toMatchObject({ ok: true });
});
