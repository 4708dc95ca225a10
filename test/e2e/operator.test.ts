import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { LISTINGS } from '../support/collections.ts';
import { freePort, install, type Installation, type Running } from '../support/process.ts';

/** The operator page over real processes: what it shows, what it does, and what came of it. */

const SECRET = 'a-secret-of-operators';
const EVIL = '<script>alert(1)</script>';
const LOOK_MS = 100;

let catalog: Installation;
let start: Running;
let admin: string;
let log = '';

beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off', CATALOG_OPERATOR_SECRET: SECRET, LOG_LEVEL: 'info' });
  start = catalog.start();
  admin = `http://127.0.0.1:${catalog.env['ADMIN_PORT']}`;
  await start.printed('Ctrl-C stops');
  await using parts = await compose(readConfig(catalog.env), 'test');
  const headers = { 'content-type': 'application/json' };
  for (const text of [`{"not":"an event","${EVIL}":1}`, EVIL])
    await parts.log.append([
      { topic: 'catalog.entries', key: randomUUID(), value: Buffer.from(text), headers },
    ]);
}, 60_000);
afterAll(async () => {
  await start?.stop();
  await catalog?.[Symbol.asyncDispose]();
});

async function read(cookie = '', path = '/en'): Promise<string> {
  return await (await fetch(`${admin}${path}`, { headers: { cookie } })).text();
}

async function readUntil(wanted: RegExp, cookie = ''): Promise<string> {
  for (;;) {
    const page = await read(cookie);
    if (wanted.test(page)) return page;
    await pause(LOOK_MS);
  }
}

function post(path: string, form: Record<string, string>, cookie = ''): Promise<Response> {
  return fetch(`${admin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: admin, cookie },
    body: new URLSearchParams(form),
  });
}

async function unlock(): Promise<{ cookie: string; csrf: string }> {
  const response = await post('/en/sign-in', { secret: SECRET });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(await read(cookie))?.[1] ?? '' };
}

test('shows parked events by reason, with what they say as text', async () => {
  const page = await readUntil(/bad_envelope[^]*not_json|not_json[^]*bad_envelope/);
  expect(page).toContain(`${LISTINGS}/catalog.entries/0`);
  expect(page).not.toContain(EVIL);
  const [, id = ''] = /href="\/en\/parked\?id=([^"]+)"/.exec(page) ?? [];
  const event = await read('', `/en/parked?id=${id}`);
  expect(event).toContain('&lt;script&gt;alert(1)');
  expect(event).not.toContain(EVIL);
});

test('redrives, and notes before and after what came of it', async () => {
  const { cookie, csrf } = await unlock();
  const page = await read(cookie);
  const [, subject = ''] =
    /name="kind" value="redrive" \/>\s*<input[^>]*name="subject" value="([^"]+)"/.exec(page) ?? [];
  expect(subject).toContain('/catalog.entries/');
  expect((await post('/en/act', { csrf, kind: 'redrive', subject }, cookie)).status).toBe(303);
  expect(await readUntil(/0 redriven, 1 still rejected/, cookie)).toContain('done');
  expect(
    (await post('/en/act', { csrf, kind: 'redrive_all', subject: 'catalog.entries nothing' }, cookie)).status,
  ).toBe(303);
  expect(await readUntil(/There is no reason nothing/, cookie)).toContain('refused');
});

test('verifies in the background, and keeps the result', async () => {
  const { cookie, csrf } = await unlock();
  await post('/en/act', { csrf, kind: 'verify', subject: '' }, cookie);
  const page = await readUntil(/Nothing differs\s*<\/span/, cookie);
  expect(page).toMatch(/listings\S* \(search\)/);
}, 60_000);

test('says why a cut-over, a rollback and a cancel cannot be, as the commands do', async () => {
  const { cookie, csrf } = await unlock();
  await post('/en/act', { csrf, kind: 'rollback', subject: 'listings' }, cookie);
  await readUntil(new RegExp(`No build of listings was live before ${LISTINGS}`), cookie);
  await post('/en/act', { csrf, kind: 'cut_over', subject: 'listings', to: 'listings@9' }, cookie);
  await readUntil(/There is no build listings@9/, cookie);
  await post('/en/act', { csrf, kind: 'cancel', subject: LISTINGS }, cookie);
  await readUntil(new RegExp(`${LISTINGS}[^.]*live`), cookie);
});

test('makes a finished build live, and the one before live again', async () => {
  const { cookie, csrf } = await unlock();
  const rebuilt = await catalog.catalog(['rebuild', 'categories', '--json']);
  expect(rebuilt.code).toBe(0);
  const { build } = JSON.parse(rebuilt.stdout) as { build: string };
  await post('/en/act', { csrf, kind: 'cut_over', subject: 'categories', to: build }, cookie);
  await readUntil(new RegExp(`${build} is live; it was categories@1`), cookie);
  await post('/en/act', { csrf, kind: 'rollback', subject: 'categories' }, cookie);
  await readUntil(new RegExp(`categories@1 is live; it was ${build}`), cookie);
}, 60_000);

test('a process that only serves reads the documents, and does nothing', async () => {
  const port = String(await freePort());
  const serve = catalog.start(['serve'], { ADMIN_PORT: port, PORT: String(await freePort()) });
  await serve.printed('Serving');
  const page = await (await fetch(`http://127.0.0.1:${port}/en`)).text();
  expect(page).toContain('Open the page of a projector');
  expect(page).toContain(LISTINGS);
  expect(page).toContain('bad_envelope');
  expect(page).not.toContain('This cannot be read now');
  expect(page).not.toContain('name="secret"');
  expect(await serve.stop()).toBe(0);
});

test('the log tells who acted and never the secret', async () => {
  await post('/en/sign-in', { secret: 'wrong words of somebody' });
  log = await start.printed('wrong operator secret');
  expect(log).toContain('"msg":"operator act begun"');
  expect(log).not.toContain(SECRET);
  expect(log).not.toContain('wrong words of somebody');
});
