import { once } from 'node:events';
import type * as Http from 'node:http';
import { connect } from 'node:net';

import { pino } from 'pino';
import { expect, test, vi } from 'vitest';

import { createApi, type ApiOptions } from '../../../../src/api/app.ts';
import { maxConnections } from '../../../../src/api/http/limits.ts';
import { listen } from '../../../../src/api/http/server.ts';
import { createMetrics } from '../../../../src/platform/metrics-registry.ts';

const made = vi.hoisted(() => ({ options: [] as unknown[], servers: [] as Http.Server[] }));

vi.mock('node:http', async (original) => {
  const http = await original<typeof Http>();
  const createServer = (options: Http.ServerOptions): Http.Server => {
    const server = http.createServer(options);
    made.options.push(options);
    made.servers.push(server);
    return server;
  };
  return { ...http, createServer };
});

/** 0 where there is no answer. */
const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  );

/** Nothing that is asked of a store: only the border is looked at here. */
const apiWithoutStores = () =>
  createApi({
    clock: { now: () => 0, monotonic: () => 0, sleep: () => new Promise(() => undefined) },
    logger: pino({ level: 'silent' }),
    quota: { limit: 1000 },
    documents: {},
    tagSecret: 'a secret of tests',
    publicUrl: 'https://catalog.example',
    metrics: createMetrics(),
  } as unknown as ApiOptions);

test('the server has the limits that docs/reference/api.md promises', async () => {
  await using _listening = await listen(apiWithoutStores(), { port: 0, host: '127.0.0.1' });
  expect(made.servers[0]).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    timeout: 15_000,
    keepAliveTimeout: 75_000,
    keepAliveTimeoutBuffer: 1000,
    maxConnections: 10_000,
    httpAllowHalfOpen: true,
  });
  expect(made.options[0]).toMatchObject({ connectionsCheckingInterval: 2000, maxHeaderSize: 8192 });
});

test('where there is no place for another connection, those that stand idle are ended', async () => {
  made.servers.length = 0;
  const limits = { crowdedMs: 1, checkingIntervalMs: 20, keepAliveMs: 600_000 };
  await using listening = await listen(apiWithoutStores(), { port: 0, host: '127.0.0.1', limits });
  Object.assign(made.servers[0] ?? {}, { maxConnections: 1 });
  const idle = connect(listening.port, '127.0.0.1', () => idle.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'));
  const [answer] = (await once(idle, 'data')) as [Buffer];
  expect(String(answer)).toContain('Keep-Alive: timeout=600\r\n');
  const ended = once(idle, 'close');
  const dropped = connect(listening.port, '127.0.0.1').on('error', () => undefined);
  await ended;
  dropped.destroy();
  await expect.poll(() => statusOf(`${listening.url}/x`)).toBe(404);
});

test.each([
  ['256', 128],
  ['1024', 768],
  ['unlimited', 10_000],
])('with %s open files there is room for %d connections, and for all else', (files, connections) => {
  expect(maxConnections(`Limit Soft Hard\nMax open files  ${files}  ${files}  files\n`)).toBe(connections);
});
