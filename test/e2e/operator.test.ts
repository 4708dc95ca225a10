import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Act } from '../../src/operations/act-log.ts';
import { LISTINGS } from '../support/collections.ts';
import { freePort } from '../support/free-ports.ts';
import { operatorVisitor, SECRET, tokenIn, type Unlocked } from '../support/operator-visitor.ts';
import { install, type Installation, type Running } from '../support/process.ts';
import { openParts } from '../support/parts.ts';

/** The operator page over real processes: what it shows, what it does, and what came of it. */

const EVIL = '<script>alert(1)</script>';
const LOOK_MS = 100;

let catalog: Installation;
let start: Running;
let admin: ReturnType<typeof operatorVisitor>;

beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off', CATALOG_OPERATOR_SECRET: SECRET, LOG_LEVEL: 'info' });
  start = catalog.start();
  admin = operatorVisitor(`http://127.0.0.1:${catalog.env['ADMIN_PORT']}`);
  await start.printed('Ctrl-C stops');
  await using parts = await openParts(catalog.env);
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

async function readUntil(wanted: RegExp, cookie = ''): Promise<string> {
  for (;;) {
    const page = await admin.read('/en', cookie);
    if (wanted.test(page)) return page;
    await pause(LOOK_MS);
  }
}

let signedIn: Promise<Unlocked> | null = null;

/** One for all tests: the secret may be said five times in a row. */
function unlock(): Promise<Unlocked> {
  return (signedIn ??= admin.unlock());
}

test('shows parked events by reason, with what they say as text', async () => {
  const page = await readUntil(/bad_envelope[^]*not_json|not_json[^]*bad_envelope/);
  expect(page).toContain(`${LISTINGS}/catalog.entries/`);
  expect(page).not.toContain(EVIL);
  const [, id = ''] = /href="\/en\/parked\?id=([^"]+)"/.exec(page) ?? [];
  const event = await admin.read(`/en/parked?id=${id}`);
  expect(event).toContain('&lt;script&gt;alert(1)');
  expect(event).not.toContain(EVIL);
});

async function confirm(confirmed: string, { cookie, csrf }: Unlocked): Promise<number> {
  return (await admin.send('/en/act', { csrf, confirmed }, { cookie })).status;
}

async function perform(act: Act, unlocked: Unlocked): Promise<void> {
  expect(await confirm(await admin.confirm(act, unlocked.cookie), unlocked)).toBe(303);
}

test('redrives what was confirmed, and notes before and after what came of it', async () => {
  const unlocked = await unlock();
  const page = await admin.read('/en', unlocked.cookie);
  const [, subject = ''] = /confirm\?kind=redrive&amp;subject=([^"&]+)/.exec(page) ?? [];
  const act: Act = { kind: 'redrive', subject: decodeURIComponent(subject) };
  expect(act.subject).toContain('/catalog.entries/');
  const shown = await admin.look(act, unlocked.cookie);
  expect(shown).toContain('Redrive this event?');
  expect(shown).toContain(LISTINGS);
  expect(await confirm(tokenIn(shown), unlocked)).toBe(303);
  expect(await readUntil(/0 redriven, 1 still rejected/, unlocked.cookie)).toContain('done');
});

test('makes a finished build live, and the one before live again', async () => {
  const unlocked = await unlock();
  const rebuilt = await catalog.catalog(['builds', 'rebuild', 'categories', '--json']);
  expect(rebuilt.code).toBe(0);
  const { build } = JSON.parse(rebuilt.stdout) as { build: string };
  const cutOver: Act = { kind: 'cut_over', subject: 'categories', to: build };
  const stale = await admin.look(cutOver, unlocked.cookie);
  expect(stale).toContain(`Make ${build} live?`);
  await perform(cutOver, unlocked);
  await readUntil(new RegExp(`${build} is live; it was categories@1`), unlocked.cookie);
  // What was shown before is no longer so.
  expect(await confirm(tokenIn(stale), unlocked)).toBe(409);
  const kept = await admin.look({ kind: 'cancel', subject: 'categories@1' }, unlocked.cookie);
  expect(kept).toContain('categories@1 was live until recently');
  expect(tokenIn(kept)).toBe('');
  await perform({ kind: 'rollback', subject: 'categories' }, unlocked);
  await readUntil(new RegExp(`categories@1 is live; it was ${build}`), unlocked.cookie);
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
  await admin.send('/en/sign-in', { secret: 'wrong words of somebody' });
  const log = await start.printed('wrong operator secret');
  expect(log).toContain('"msg":"operator act begun"');
  expect(log).not.toContain(SECRET);
  expect(log).not.toContain('wrong words of somebody');
});
