import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { PUBLIC_URL, runApi, type RunningApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { HAPROXY_VERSION, startFront, type Front } from '../../support/front.ts';
import { listenOnLoopback, type Listening } from '../../support/loopback.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { exchange, exchangeInsisting, parseAnswer, type WireAnswer } from '../../support/wire.ts';

if (HAPROXY_VERSION === null)
  process.stdout.write('   deploy/haproxy.cfg  NOT RUN  (this machine has no haproxy)\n');

/** On a busy machine it comes late, and that is no failure. */
const WAITING = { timeout: 30_000 };
const HOST = 'Host: x\r\n';
const STATUS = `GET /api/status HTTP/1.1\r\n${HOST}\r\n`;

describe.skipIf(HAPROXY_VERSION === null)('deploy/haproxy.cfg', () => {
  let api: RunningApi;
  let admin: Listening;
  let front: Front;
  const opened = new AsyncDisposableStack();

  beforeAll(async () => {
    api = opened.use(await runApi({}, published()));
    admin = opened.use(await listenOnLoopback(createServer((_, response) => response.end())));
    front = opened.use(await startFront(stood()));
    await answered(front, 200);
  });
  afterAll(() => opened.disposeAsync());

  test('passes a request on, and closes the connection after the answer', async () => {
    const answer = parseAnswer(await exchange(front.port, STATUS));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    expect(answer.headers.has('keep-alive')).toBe(false);
    const listed = await fetch(`http://127.0.0.1:${front.port}/api/v1/top`, {
      headers: { 'x-api-key': api.key },
    });
    expect(listed.status).toBe(200);
    await expectDocumented(listed, '/top');
  });

  test.each([
    ['lines without CR', 'GET /api/status HTTP/1.1\nHost: x\n\n', 400],
    ['one line without CR', `GET /api/status HTTP/1.1\r\n${HOST}A: b\nC: d\r\n\r\n`, 400],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0', 400],
    ['a name before a space', `GET /api/status HTTP/1.1\r\nHost : x\r\n\r\n`, 400],
    ['no host', 'GET /api/status HTTP/1.1\r\n\r\n', 400],
    ['two hosts', `GET /api/status HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400],
    [
      'two lengths',
      `GET /api/status HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['no HTTP at all', 'HELLO\r\n\r\n', 400],
    ['headers that are too long', `GET /api/status HTTP/1.1\r\n${HOST}A: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['an expectation', `GET /api/status HTTP/1.1\r\n${HOST}Expect: x\r\nConnection: close\r\n\r\n`, 400],
    ['another method', `TRACE /api/status HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, 405],
  ])('lets `serve` refuse %s in the form of the contract, once', async (_, request, status) => {
    const answer = parseAnswer(await exchange(front.port, request));
    expect(answer.rest).toBe('');
    await expectContract(answer, status, 'bad_request');
  });

  test('has no second request on a connection: what is checked at its beginning holds for all of it', async () => {
    const second = 'GET /api/status HTTP/1.1\nHost: x\n\n';
    const text = await exchangeInsisting(front.port, STATUS, second);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });

  test('answers others while 2,000 sockets of one source send headers that never end, and lets go of those', async () => {
    await using own = await startFront({ ...stood(), replacing: holding(10) });
    await answered(own, 200);
    await using slow = await slowSockets(own.port, 2000);
    expect(slow.open()).toBe(2000);
    await answered(own, 200);
    expect(slow.open(), 'it did not wait for them to be gone').toBeGreaterThan(0);
    await expect.poll(() => slow.open()).toBe(0);
  });

  test('refuses further connections of a source that holds its share, and nobody else’s', async () => {
    const share = { 'sc0_conn_cur gt 4000': 'sc0_conn_cur gt 20' };
    await using own = await startFront({ ...stood(), replacing: { ...share, ...holding(120) } });
    await answered(own, 200);
    await using slow = await slowSockets(own.port, 30);
    await expect.poll(() => slow.open()).toBeLessThanOrEqual(20);
    expect(slow.open(), 'beside at most the connection of the request before').toBeGreaterThanOrEqual(19);
    expect(await exchange(own.port, STATUS)).toBe('');
    expect(await statusFrom('127.0.0.2', own.port)).toContain('HTTP/1.1 200');
  });

  test('answers 503 to a source that comes too often', async () => {
    const rate = { 'sc0_conn_rate gt 10000': 'sc0_conn_rate gt 3' };
    await using own = await startFront({ ...stood(), replacing: rate });
    await expect.poll(async () => (await ask(own, '')).status).toBe(503);
    await expectContract(await ask(own, ''), 503, 'internal');
    await expect.poll(() => statusFrom('127.0.0.2', own.port)).toContain('HTTP/1.1 200');
  });

  test.each([
    ['gives rubbish', (socket: Socket) => socket.end('rubbish\r\n\r\n')],
    ['says nothing', () => undefined],
    ['hangs up', (socket: Socket) => socket.destroy()],
  ])('answers 503 for a server that %s', async (_, answerWith) => {
    await using broken = await listenOnLoopback(
      createTcpServer((socket) => socket.once('data', () => answerWith(socket))),
    );
    await using own = await startFront({
      servers: [{ port: broken.port, adminPort: admin.port }],
      publicUrl: PUBLIC_URL,
      replacing: { 'timeout server 20s': 'timeout server 300ms' },
    });
    for (const locale of ['ru', 'en'] as const) {
      const answer = await ask(own, `?locale=${locale}`);
      await expectContract(answer, 503, 'internal');
      expect(answer.headers.get('content-language')).toBe(locale);
      const { error } = JSON.parse(bodyOf(answer)) as { readonly error: { readonly docs: string } };
      expect(error.docs).toBe(`${PUBLIC_URL}/docs/${locale}#internal`);
    }
  });

  test('answers 503 while no server is ready, and to what it would pass on as it came, too', async () => {
    const nobody = { servers: [{ port: api.port, adminPort: 1 }], publicUrl: PUBLIC_URL };
    await using own = await startFront(nobody);
    await answered(own, 503);
    await expectContract(await ask(own, ''), 503, 'internal');
    await vi.waitFor(async () => {
      const strange = parseAnswer(await exchange(own.port, 'GET /api/status HTTP/1.1\nHost: x\n\n'));
      await expectContract(strange, 503, 'internal');
    }, WAITING);
    const id = 'a-callers-own-id';
    const named = await exchange(own.port, `GET / HTTP/1.1\r\n${HOST}X-Request-Id: ${id}\r\n\r\n`);
    expect(parseAnswer(named).headers.get('x-request-id')).toBe(id);
  });

  test('repeats at another server what one that is gone did not answer', async () => {
    await using broken = await listenOnLoopback(
      createTcpServer((socket) => socket.once('data', () => socket.destroy())),
    );
    const servers = [broken.port, api.port].map((port) => ({ port, adminPort: admin.port }));
    await using own = await startFront({ servers, publicUrl: PUBLIC_URL });
    await answered(own, 200);
    for (let count = 0; count < 10; count += 1) expect((await ask(own, '')).status).toBe(200);
  });

  test('sends a key to the same server, other keys to others, and to another one where that is gone', async () => {
    await using started = new AsyncDisposableStack();
    const named = new Map<string, Listening>();
    for (const name of ['one', 'two', 'three']) {
      const server = createServer((_, response) => response.setHeader('X-RateLimit-Limit', 1).end(name));
      named.set(name, started.use(await listenOnLoopback(server)));
    }
    const servers = [...named.values()].map(({ port }) => ({ port, adminPort: admin.port }));
    await using own = await startFront({ servers, publicUrl: PUBLIC_URL });
    const serverOf = async (key: string): Promise<string> =>
      parseAnswer(await exchange(own.port, STATUS.replace('\r\n\r\n', `\r\nX-API-Key: ${key}\r\n\r\n`))).body;
    const keys = Array.from({ length: 40 }, (_, index) => `cat_live_${index}`);
    await vi.waitFor(async () => {
      const chosen = new Set(await Promise.all(keys.map(serverOf)));
      expect([...chosen].sort()).toEqual(['one', 'three', 'two']);
    }, WAITING);
    const first = await serverOf('cat_live_1');
    for (let count = 0; count < 10; count += 1) expect(await serverOf('cat_live_1')).toBe(first);
    await named.get(first)?.[Symbol.asyncDispose]();
    const next = await serverOf('cat_live_1');
    expect(next).not.toBe(first);
    expect([...named.keys()]).toContain(next);
  });

  /** Slow sockets are held for so long, so that they are there when a busy machine looks at them. */
  const holding = (seconds: number) => ({ 'inspect-delay 3s': `inspect-delay ${seconds}s` });
  const stood = () => ({ servers: [{ port: api.port, adminPort: admin.port }], publicUrl: PUBLIC_URL });
});

async function answered(front: Front, status: number): Promise<void> {
  await vi.waitFor(async () => expect((await ask(front, '')).status).toBe(status), WAITING);
}

async function ask(front: Front, query: string): Promise<WireAnswer> {
  return parseAnswer(await exchange(front.port, `GET /api/status${query} HTTP/1.1\r\n${HOST}\r\n`));
}

function bodyOf({ body }: WireAnswer): string {
  return Buffer.from(body, 'latin1').toString();
}

/** Holds an answer to the shared error of the OpenAPI document, headers included. */
async function expectContract(answer: WireAnswer, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status);
  const response = new Response(bodyOf(answer), { status, headers: answer.headers });
  const asked = status === 503 ? '/top' : '/nothing';
  expect(await expectDocumented(response, asked)).toMatchObject({ error: { code } });
}

interface SlowSockets extends AsyncDisposable {
  /** How many the front still holds. */
  open(): number;
}

/** Sockets that have sent a header without an end. Resolves when each is connected. */
async function slowSockets(port: number, count: number): Promise<SlowSockets> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.on('error', () => undefined).write(`GET /api/status HTTP/1.1\r\n${HOST}A: `);
    return socket;
  });
  const settled = (socket: Socket) =>
    new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  await Promise.all(sockets.map(settled));
  return {
    open: () => sockets.filter(({ closed }) => !closed).length,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What the front answers to a caller with another address. */
function statusFrom(localAddress: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('data', (bytes) => (received += String(bytes)));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
    socket.write(STATUS);
  });
}
