import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { QuotaDay } from '../../src/access/quota/counter.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';
import { gather } from '../support/crowd.ts';
import { published } from '../support/events.ts';
import { freePort } from '../support/free-ports.ts';
import { install, type Installation, type Running } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { sizeOf } from '../support/sizes.ts';
import { untilDayHasLeft } from '../support/utc-day.ts';

/** Asked of four processes of the API on one file. */
const REQUESTS = sizeOf('QUOTA_REQUESTS');
const CONNECTIONS = 24;
/** All of these tests take less, also on a slow machine: a day that ended among them would give 1,000 more. */
const ENOUGH_MS = 120_000;

interface Server {
  readonly url: string;
  readonly start: () => Promise<Running>;
  running: Running;
}

let catalog: Installation;
let servers: readonly Server[];

beforeAll(async () => {
  await untilDayHasLeft(ENOUGH_MS);
  catalog = await install({ CATALOG_SAMPLE: 'off' });
  const project = catalog.start(['project']);
  await project.printed('Projecting.');
  const input = JSON.stringify(published({ subject: 'wanted', revision: 1 }));
  await commandsHere(catalog)(['publish', '-', '--wait'], { input });
  await project.stop();
  servers = await Promise.all(Array.from({ length: 4 }, startServer));
}, 2 * ENOUGH_MS);
afterAll(() => catalog[Symbol.asyncDispose]());

async function startServer(): Promise<Server> {
  const port = String(await freePort());
  const start = async () => {
    const running = catalog.start(['serve'], { PORT: port, ADMIN_PORT: '0' });
    await running.printed('Serving');
    return running;
  };
  return { url: `http://127.0.0.1:${port}/api/v1/listings/wanted`, start, running: await start() };
}

async function makeKey(): Promise<{ readonly id: string; readonly key: string }> {
  const { stdout } = await commandsHere(catalog)(['keys', 'create', '--account', 'acme', '--json']);
  return JSON.parse(stdout) as { readonly id: string; readonly key: string };
}

/** What the store counts as taken by a key, held allotments included. */
async function taken(keyId: string): Promise<number> {
  await using documents = openSqliteDocuments(join(catalog.folder, 'data/documents.db'));
  const days = (await Array.fromAsync(documents.scan<QuotaDay>('quota'))).flat();
  return days
    .filter(({ body }) => Object.values(body.uses).some((uses) => Object.hasOwn(uses, keyId)))
    .flatMap(({ body }) => Object.values(body.shares))
    .reduce((sum, share) => sum + share, 0);
}

test(`${REQUESTS} parallel requests with one key to 4 processes: exactly 1,000 are served, all others are 429`, async () => {
  const { id, key } = await makeKey();
  const urls = servers.map(({ url }) => url);
  const headers = { 'x-api-key': key };
  const crowd = gather({ urls, headers, requests: REQUESTS, connections: CONNECTIONS });
  await crowd.done;
  expect(crowd.cut).toBe(0);
  expect(crowd.statuses).toEqual({ 200: 1000, 429: REQUESTS - 1000 });
  expect(await taken(id)).toBe(1000);
});

test('one of them killed in the middle and started again: never more than 1,000, and at most the requests in flight and an allotment of 20 are lost', async () => {
  const { id, key } = await makeKey();
  const [victim] = servers;
  if (!victim) throw new Error('There is no server');
  let repaired = Promise.resolve();
  let kills = 0;
  const crowd = gather({
    urls: servers.map(({ url }) => url),
    headers: { 'x-api-key': key },
    requests: REQUESTS,
    connections: CONNECTIONS,
    turn: () => repaired,
    answered: (statuses) => {
      if (kills > 0 || (statuses[200] ?? 0) < 300) return;
      kills += 1;
      repaired = killAndStart(victim);
    },
  });
  await crowd.done;
  expect(kills).toBe(1);
  expect(Object.keys(crowd.statuses)).toEqual(['200', '429']);
  expect(crowd.cut).toBeLessThanOrEqual(CONNECTIONS);
  expect(crowd.statuses[200]).toBeLessThanOrEqual(1000);
  expect(crowd.statuses[200]).toBeGreaterThanOrEqual(1000 - crowd.cut - 20);
  expect(await taken(id)).toBe(1000);
});

async function killAndStart(server: Server): Promise<void> {
  await server.running.stop('SIGKILL');
  server.running = await server.start();
}

test('one of them stopped in the middle of requests that come quickly: nothing is lost', async () => {
  const { id, key } = await makeKey();
  const [stopped] = servers;
  if (!stopped) throw new Error('There is no server');
  const crowd = gather({
    urls: [stopped.url],
    headers: { 'x-api-key': key },
    requests: 35,
    connections: 1,
  });
  await crowd.done;
  expect(await stopped.running.stop()).toBe(0);
  expect(await taken(id)).toBe(35);
});
