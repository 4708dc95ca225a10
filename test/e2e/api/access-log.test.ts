import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';

import { beforeEach, describe, expect, test } from 'vitest';

import { runApi } from '../../support/api.ts';
import { LISTINGS } from '../../support/collections.ts';
import { published } from '../../support/events.ts';
import { exchange } from '../../support/wire.ts';
import { forAllTests } from '../../support/for-each-test.ts';

const api = forAllTests(() => runApi({ dailyLimit: 30 }, published()));
let before = 0;
beforeEach(() => {
  before = api.log.length;
});

const LISTING = '/api/v1/listings/ai-news';
const ROUTE = '/api/v1/listings/:slug';

interface Line {
  readonly msg: string;
  readonly requestId: string;
  readonly status: number;
  readonly [field: string]: unknown;
}

const lines = () => api.log.slice(before).map((line) => JSON.parse(line) as Line);
const requests = () => lines().filter(({ msg }) => msg === 'request');

/** The one line of whatever was just asked, once it is there. */
async function only(): Promise<Line> {
  await expect.poll(() => requests().length).toBe(1);
  return requests()[0] as Line;
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${api.url}${path}`, { headers: { 'x-api-key': api.key }, ...init });
  await response.arrayBuffer();
  return response;
}

/** The server's own side of the next request. */
function nextResponse(): Promise<ServerResponse> {
  const channel = 'http.server.request.start';
  return new Promise((resolve) => {
    const started = (message: unknown): void => {
      unsubscribe(channel, started);
      resolve((message as { readonly response: ServerResponse }).response);
    };
    subscribe(channel, started);
  });
}

describe('each request makes one line', () => {
  test.each<readonly [string, string, RequestInit, string, string | null, number, number]>([
    ['200', LISTING, {}, 'GET', ROUTE, 200, 1],
    ['HEAD', LISTING, { method: 'HEAD' }, 'HEAD', ROUTE, 200, 1],
    ['OPTIONS', LISTING, { method: 'OPTIONS' }, 'OPTIONS', ROUTE, 204, 0],
    ['405', LISTING, { method: 'DELETE' }, 'DELETE', ROUTE, 405, 0],
    ['400', `${LISTING}?x=1`, {}, 'GET', ROUTE, 400, 1],
    ['a broken encoding', '/api/v1/listings/%ff', {}, 'GET', null, 400, 0],
    ['401', LISTING, { headers: {} }, 'GET', ROUTE, 401, 0],
    ['404 of a listing', '/api/v1/listings/nobody', {}, 'GET', ROUTE, 404, 1],
    ['404 of a route', '/nothing', {}, 'GET', null, 404, 0],
    ['without a key', '/api/status', {}, 'GET', '/api/status', 200, 0],
  ])('%s', async (_case, path, init, method, route, status, cost) => {
    const response = await ask(path, init);
    const line = await only();
    const requestId = response.headers.get('x-request-id');
    expect(line).toMatchObject({ method, route, status, cost, requestId });
    // What costs nothing here was refused before its key was looked at, or needs none.
    expect(typeof line['keyId'] === 'string').toBe(cost === 1);
    expect(line['durationMs']).toBeGreaterThan(0);
    expect(line).not.toHaveProperty('aborted');
    expect(line).not.toHaveProperty('reason');
  });

  test('304, and 429', async () => {
    const first = await ask(LISTING);
    const etag = String(first.headers.get('etag'));
    await ask(LISTING, { headers: { 'x-api-key': api.key, 'if-none-match': etag } });
    const left = Number(first.headers.get('x-ratelimit-remaining'));
    for (let count = 0; count < left + 1; count += 1) await ask(LISTING);
    const said = requests().map(({ status, cost, keyId }) => ({ status, cost, keyId }));
    const keyId = said[0]?.keyId;
    expect(keyId).toMatch(/^k_/);
    expect(said.slice(0, 3)).toEqual([
      { status: 200, cost: 1, keyId },
      { status: 304, cost: 0, keyId },
      { status: 200, cost: 1, keyId },
    ]);
    expect(said.at(-1)).toEqual({ status: 429, cost: 0, keyId });
    api.clock.movedMs += 86_400_000;
  });

  test('500, with what failed, and the stack in a line of its own', async () => {
    api.documents.fault = 'broken';
    await ask(LISTING);
    api.documents.fault = 'none';
    const { requestId, reason } = await only();
    expect(reason).toBe('a secret detail');
    expect(
      lines().filter((line) => line.requestId === requestId && line.msg === 'a fault of ours'),
    ).toHaveLength(1);
  });

  test.each([
    ['no HTTP at all', 'sesame\r\n\r\n', null, 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', null, 405],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'CONNECT', 405],
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, null, 431],
    ['no Host', 'GET /nowhere HTTP/1.1\r\n\r\n', 'GET', 400],
  ])('that the parser or the first look refuses: %s', async (_case, bytes, method, status) => {
    await exchange(api.port, bytes);
    expect(await only()).toMatchObject({ method, route: null, status, cost: 0, keyId: null });
  });

  test('whose caller hangs up before the answer is there, with what the answer would have been', async () => {
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const get = api.documents.get.bind(api.documents);
    api.documents.get = async (collection, ids) => {
      asked.resolve();
      await held.promise;
      return get(collection, ids);
    };
    const response = nextResponse();
    const socket = connect(api.port, '127.0.0.1', () =>
      socket.write(`GET ${LISTING} HTTP/1.1\r\nHost: x\r\nx-api-key: ${api.key}\r\n\r\n`),
    );
    await asked.promise;
    // A mere end would say that nothing more is asked: the answer would still be awaited.
    socket.resetAndDestroy();
    await once(await response, 'close');
    held.resolve();
    api.documents.get = get;
    expect(await only()).toMatchObject({ route: ROUTE, status: 200, cost: 1, aborted: true });
  });

  test('but of a crowd that costs nothing only the first, with their address; the others share one', async () => {
    const asked = 200;
    await Promise.all(Array.from({ length: asked }, () => ask(LISTING, { headers: {} })));
    const shared = () => lines().filter(({ msg }) => msg === 'requests without lines of their own');
    const told = () => requests().length + shared().reduce((sum, line) => sum + Number(line['requests']), 0);
    await expect.poll(told).toBe(asked);
    expect(requests().length).toBeLessThan(asked);
    expect(requests()[0]).toMatchObject({ status: 401, keyId: null, address: '127.0.0.1' });
    expect(shared()[0]).toMatchObject({
      by: [{ route: ROUTE, status: 401 }],
      callers: [{ caller: '127.0.0.1' }],
    });
    expect((await ask(LISTING)).status).toBe(200);
    await expect.poll(() => requests().at(-1)).toMatchObject({ status: 200 });
    expect(requests().at(-1)).not.toHaveProperty('address');
  });
});

test('an outage is said once when it begins and once when it is over, and each request says its own reason', async () => {
  api.documents.failCollections = [LISTINGS];
  for (let count = 0; count < 5; count += 1) {
    api.clock.movedMs += 600;
    expect((await ask(LISTING)).status).toBe(503);
  }
  api.documents.failCollections = [];
  expect((await ask(LISTING)).status).toBe(200);
  const said = () =>
    lines()
      .filter(({ msg }) => /store|again/.test(msg))
      .map(({ level, msg }) => `${String(level)} ${msg}`);
  expect(said()).toEqual(['warn a store is down or too slow']);
  api.clock.movedMs += 5000;
  expect((await ask(LISTING)).status).toBe(200);
  expect(said()).toEqual(['warn a store is down or too slow', 'info requests are answered again']);
  expect(lines().at(-2)).toMatchObject({ requests: 5, lastedMs: expect.any(Number) as number });
  const reasons = requests().map(({ reason }) => reason);
  expect(reasons.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => `${LISTINGS} is down`));
  expect(reasons.slice(5)).toEqual([undefined, undefined]);
});
