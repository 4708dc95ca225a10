import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';

import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { listen } from '../../../src/api/http/server.ts';
import { runApi, type RunningApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { heldMemory } from '../../support/memory.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { exchange as exchangeWith, exchangeHalfOpen, parseAnswer } from '../../support/wire.ts';

/** Requests that no well-behaved client sends, byte by byte. */

let api: RunningApi;

beforeAll(async () => {
  api = await runApi({ limits: { headersTimeoutMs: 300, requestTimeoutMs: 600, checkingIntervalMs: 50 } });
  await api.project(published());
});
afterAll(() => api[Symbol.asyncDispose]());

const exchange = (...chunks: readonly (string | Buffer)[]) => exchangeWith(api.port, ...chunks);

/** Holds the one answer to the shared error of the OpenAPI document, and the connection to having been closed. */
async function expectRefused(text: string, status: number): Promise<void> {
  const answer = parseAnswer(text);
  expect(answer.status, text.slice(0, 300)).toBe(status);
  expect(answer.rest, 'a second answer').toBe('');
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('1000');
  const body = Buffer.from(answer.body, 'latin1');
  const response = new Response(body, { status, headers: answer.headers });
  expect(await expectDocumented(response, '/nothing')).toMatchObject({ error: { code: 'bad_request' } });
}

const HOST = 'Host: x\r\n';
const LARGE = Buffer.alloc(1_000_000, 97);
const TOP = `GET /api/v1/top HTTP/1.1\r\n${HOST}`;

describe('what the parser refuses has the error object and all headers, once, and is closed', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /\r\n\r\n', 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a space before the colon', `${TOP}X-A : 1\r\n\r\n`, 400],
    ['a bare CR in a value', `${TOP}X-A: a\rb\r\n\r\n`, 400],
    ['a bare LF as the end of a line', `${TOP}X-A: a\nX-B: b\r\n\r\n`, 400],
    ['a NUL in a value', `${TOP}X-A: a\0b\r\n\r\n`, 400],
    [
      'both a length and a transfer encoding',
      `${TOP}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two lengths', `${TOP}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ['a length that is no number', `${TOP}Content-Length: 1x\r\n\r\na`, 400],
    [
      'a transfer encoding that does not end in chunked',
      `${TOP}Transfer-Encoding: chunked, identity\r\n\r\n`,
      400,
    ],
    ['a lone transfer encoding other than chunked', `${TOP}Transfer-Encoding: gzip\r\n\r\n`, 400],
    ['HTTP/0.9 in so many words', `GET /api/v1/top HTTP/0.9\r\n${HOST}\r\n`, 400],
    ['HTTP/2.0 in so many words', `GET /api/v1/top HTTP/2.0\r\n${HOST}\r\n`, 400],
    ['an unknown method', `FOO /api/v1/top HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['a method in lower case', `get /api/v1/top HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['a broken path without a Host', 'GET /api/v1/listings/%ff HTTP/1.1\r\n\r\n', 400],
    [
      'a broken path with an unknown expectation',
      `GET /api/v1/listings/%ff HTTP/1.1\r\n${HOST}Expect: x\r\n\r\n`,
      400,
    ],
    ['no Host', 'GET /api/v1/top HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `${TOP}Host: y\r\n\r\n`, 400],
    ['two Hosts on one line', 'GET /api/v1/top HTTP/1.1\r\nHost: a, b\r\n\r\n', 400],
    ['a Host that is an address', 'GET /api/v1/top HTTP/1.1\r\nHost: http://a/b\r\n\r\n', 400],
    ['a user in a Host', 'GET /api/v1/top HTTP/1.1\r\nHost: a@b\r\n\r\n', 400],
    ['no name before the colon', `${TOP}: x\r\n\r\n`, 400],
    ['a header before the first one that continues nothing', `GET / HTTP/1.1\r\n X: 1\r\n${HOST}\r\n`, 400],
    ['a line end that is not CRLF anywhere', 'GET /api/v1/top HTTP/1.1\nHost: x\n\n', 400],
    ['a space in the address', `GET /api/v1/search?q=a b HTTP/1.1\r\n${HOST}\r\n`, 400],
    [
      'letters in the address that are not encoded',
      `GET /api/v1/search?q=докер HTTP/1.1\r\n${HOST}\r\n`,
      400,
    ],
    ['an address without its slash', `GET api/v1/top HTTP/1.1\r\n${HOST}\r\n`, 400],
    ['chunked twice', `${TOP}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['another coding that only ends like chunked', `${TOP}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ['chunked after a vertical tab', `${TOP}Transfer-Encoding:\vchunked\r\n\r\n0\r\n\r\n`, 400],
    [
      'two transfer encodings',
      `${TOP}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n`,
      400,
    ],
    ['a transfer encoding over HTTP/1.0', 'GET / HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n', 400],
    ['a length with a sign', `${TOP}Content-Length: +0\r\n\r\n`, 400],
    ['the beginning of TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03', 400],
    ['nothing but NULs', '\0'.repeat(100), 400],
    ['an unknown expectation', `${TOP}Expect: the-best\r\n\r\n`, 400],
    ['a body of one byte', `${TOP}Content-Length: 1\r\n\r\na`, 413],
    ['a chunked body', `${TOP}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`, 413],
    ['a body that waits to be asked for', `${TOP}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`, 413],
    ['headers of 16 KB', `${TOP}X-A: ${'a'.repeat(16_384)}\r\n\r\n`, 431],
    ['a key of 10 KB', `${TOP}x-api-key: ${'a'.repeat(10_240)}\r\n\r\n`, 431],
    ['2,001 headers', `${TOP}${'a:\r\n'.repeat(2001)}\r\n`, 431],
    [
      'an address of 10 MB',
      `GET /api/v1/top?category=${'a'.repeat(10_000_000)} HTTP/1.1\r\n${HOST}\r\n`,
      414,
    ],
    ['an upgrade', `${TOP}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 400],
    ['an upgrade among others', `${TOP}Connection: keep-alive, UPGRADE\r\nUpgrade: a, b\r\n\r\n`, 400],
    ['CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
  ])('%s', async (_case, bytes, status) => {
    await expectRefused(await exchange(bytes), status);
  });

  test.each([
    ['locale=en&', /--data-urlencode 'q=бот' ADDRESS/],
    ['', /--data-urlencode 'q=бот' АДРЕС/],
  ])('letters that are not encoded (%s): the refusal says how to send them', async (locale, advice) => {
    const sent = `GET /api/v1/search?${locale}q=бот HTTP/1.1\r\n${HOST}\r\n`;
    const text = await exchange(sent);
    await expectRefused(text, 400);
    expect(Buffer.from(parseAnswer(text).body, 'latin1').toString()).toMatch(advice);
  });

  test('headers that never end: 408', async () => {
    await expectRefused(await exchange('GET /api/v1/top HTTP/1.1\r\nHost: x\r\n'), 408);
  });

  test('headers that come a byte at a time are cut as well: 408', async () => {
    const socket = connect(api.port, '127.0.0.1');
    const received: Buffer[] = [];
    const trickle = setInterval(() => socket.write('a'), 20);
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    socket.on('error', () => undefined);
    socket.write('GET /api/v1/top HTTP/1.1\r\nHost: x\r\nX-A: ');
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(trickle);
    await expectRefused(Buffer.concat(received).toString('latin1'), 408);
  });

  test('a large body is not read: the answer comes, then the end', async () => {
    const body = Buffer.alloc(10_000_000, 97);
    const text = await exchange(`${TOP}Content-Length: ${body.length}\r\n\r\n`, body);
    // Where our side closes first, the kernel may drop the answer together with the rest of the body.
    expect(['', '413']).toContain(text === '' ? '' : String(parseAnswer(text).status));
    expect((await api.get('/top')).status).toBe(200);
  });

  test('a preflight is answered also where the path cannot be decoded', async () => {
    const text = await exchange(`OPTIONS /api/v1/listings/%ff HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    expect(parseAnswer(text).status).toBe(204);
  });

  test('TRACE and a POST with a body are 405', async () => {
    for (const head of ['TRACE /api/v1/top', 'POST /api/v1/top']) {
      const text = await exchange(`${head} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
      expect(parseAnswer(text).status).toBe(405);
      expect(parseAnswer(text).headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
    const text = await exchange(`POST /api/v1/top HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`);
    expect(parseAnswer(text).status).toBe(405);
    expect(parseAnswer(text).headers.get('connection')).toBe('close');
  });
});

describe('what is allowed', () => {
  test('HTTP/1.0 needs no Host', async () => {
    expect(parseAnswer(await exchange('GET /openapi.json HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  test('an empty body, Expect: 100-continue without a body, and a wish to upgrade change nothing', async () => {
    for (const header of ['Content-Length: 0', 'Expect: 100-continue', 'Upgrade: websocket']) {
      const text = await exchange(`${TOP}x-api-key: ${api.key}\r\n${header}\r\nConnection: close\r\n\r\n`);
      expect(parseAnswer(text).status, header).toBe(200);
    }
  });

  test.each(['http://evil.example', 'HTTPS://evil.example', 'http://a:b@evil.example:99999999'])(
    'an absolute address is its path: %s',
    async (host) => {
      const text = await exchange(`GET ${host}/openapi.json HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
      expect(parseAnswer(text).status).toBe(200);
      expect(text).not.toContain('evil.example');
    },
  );

  test.each([
    'http://',
    'abc://?q=1',
    'http://[::1',
    'http://evil.example',
    'http:///',
    '*',
    '//evil.example/api/status',
  ])('an address without a path of ours (%s) is 404 like any other', async (target) => {
    const answer = parseAnswer(await exchange(`GET ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`));
    expect(answer.status).toBe(404);
    const response = new Response(Buffer.from(answer.body, 'latin1'), answer);
    expect(await expectDocumented(response, '/nothing')).toMatchObject({ error: { code: 'not_found' } });
  });

  test.each(['', 'a', 'a:', 'a:80', '[::1]:8080', '1.2.3.4', 'xn--e1afmkfd.example', 'a_b.example'])(
    'a Host of %s',
    async (host) => {
      const text = await exchange(`GET /api/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(parseAnswer(text).status).toBe(200);
    },
  );

  test('a range is not cut out: the whole answer comes, and says nothing of ranges', async () => {
    const asked = `${TOP}x-api-key: ${api.key}\r\nRange: bytes=0-3\r\nIf-Range: "a"\r\nConnection: close\r\n\r\n`;
    const { status, headers, body } = parseAnswer(await exchange(asked));
    expect(status).toBe(200);
    expect([headers.get('accept-ranges'), headers.get('content-range')]).toEqual([null, null]);
    expect(JSON.parse(body)).toHaveProperty('items');
  });

  test('HTTP/1.0 is answered once, and kept open only where it asks for that', async () => {
    const text = await exchange(`GET /api/status HTTP/1.0\r\n\r\n`);
    expect(parseAnswer(text)).toMatchObject({ status: 200, rest: '' });
    const kept = 'GET /api/status HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
    const first = parseAnswer(await exchange(kept, 'GET /nothing HTTP/1.0\r\n\r\n'));
    expect(first.headers.get('connection')).toBe('keep-alive');
    expect(parseAnswer(first.rest).status).toBe(404);
  });
});

/** Requests that have been answered so far. */
async function countAnswered(): Promise<number> {
  const counts = (await api.metrics()).matchAll(/^catalog_http_request_duration_seconds_count\S* (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('connections', () => {
  test('a broken request after a good one is answered second', async () => {
    const good = `${TOP}x-api-key: ${api.key}\r\n\r\n`;
    const first = parseAnswer(await exchange(`${good}nonsense\r\n\r\n`));
    expect(first.status).toBe(200);
    await expectRefused(first.rest, 400);
    // The bytes begin with HEAD, but it is not HEAD that is refused.
    const head = parseAnswer(await exchange(`${good.replace('GET', 'HEAD')}nonsense\r\n\r\n`), {
      hasBody: false,
    });
    await expectRefused(head.rest, 400);
  });

  test('requests that are sent ahead are answered in their order, each once', async () => {
    const id = (index: number) => `request-${String(index).padStart(3, '0')}`;
    const paths = ['/api/v1/top', '/nothing', '/api/status', '/api/v1/listings/ai-news'];
    const ahead = Array.from({ length: 60 }, (_, index) => {
      const close = index === 59 ? 'Connection: close\r\n' : '';
      const headers = `x-api-key: ${api.key}\r\nX-Request-Id: ${id(index)}\r\n${close}`;
      return `GET ${paths[index % paths.length]} HTTP/1.1\r\n${HOST}${headers}\r\n`;
    });
    const answered: (string | null)[] = [];
    for (let rest = await exchange(ahead.join('')); rest !== '';) {
      const answer = parseAnswer(rest);
      answered.push(answer.headers.get('x-request-id'));
      rest = answer.rest;
    }
    expect(answered).toEqual(ahead.map((_, index) => id(index)));
  });

  test('nothing is answered after the connection was to be closed, nor what hides in a body', async () => {
    const close = `${TOP}x-api-key: ${api.key}\r\nConnection: close\r\n\r\n`;
    expect(parseAnswer(await exchange(close, close))).toMatchObject({ status: 200, rest: '' });
    const hidden = `GET /api/status HTTP/1.1\r\n${HOST}\r\n`;
    for (const method of ['GET', 'POST']) {
      const head = `${method} /api/v1/top HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n`;
      expect(parseAnswer(await exchange(head, hidden)).rest).toBe('');
    }
  });

  const SECOND = `GET /api/status HTTP/1.1\r\n${HOST}\r\n`;
  const WS = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  const H2C =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';

  test.each([
    ['an upgrade', `${TOP}${WS}\r\n`, 400],
    ['an upgrade of a POST', `POST /api/v1/top HTTP/1.1\r\n${HOST}${WS}\r\n`, 400],
    [
      'an upgrade to HTTP/2, which Java sends by itself',
      `GET /api/status HTTP/1.1\r\n${HOST}${H2C}\r\n`,
      200,
    ],
    ['an unknown expectation', `${TOP}Expect: the-best\r\n\r\n`, 400],
    ['CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['CONNECT with an upgrade', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}${WS}\r\n`, 405],
    ['two Hosts', `${TOP}Host: y\r\n\r\n`, 400],
    ['a body', `${TOP}Content-Length: 2\r\n\r\nab`, 413],
  ])('what follows %s is no request: whole, in halves, or later', async (_case, first, status) => {
    const before = await countAnswered();
    const half = SECOND.length / 2;
    for (const rest of [[SECOND], [SECOND.slice(0, half), SECOND.slice(half)], [SECOND.repeat(20)]]) {
      for (const chunks of [
        [first, ...rest],
        [first + rest.join('')],
        [`${first}${rest[0]}`, ...rest.slice(1)],
      ]) {
        const answer = parseAnswer(await exchange(...chunks));
        expect([answer.status, answer.rest, answer.headers.get('connection')]).toEqual([status, '', 'close']);
      }
    }
    // Nor is it asked of the stores, nor counted.
    expect((await countAnswered()) - before).toBe(9);
  });

  test('answers that a caller has left behind are not remembered', async () => {
    const asked = `GET /api/v1/search?q=left-behind HTTP/1.1\r\n${HOST}x-api-key: ${api.key}\r\n\r\n`;
    const responses: WeakRef<object>[] = [];
    const started = (message: unknown): void => {
      responses.push(new WeakRef((message as { readonly response: object }).response));
    };
    subscribe('http.server.request.start', started);
    for (let round = 0; round < 5; round += 1) {
      const socket = connect(api.port, '127.0.0.1', () => socket.write(asked.repeat(20)));
      socket.on('error', () => undefined);
      const seen = responses.length;
      await expect.poll(() => responses.length).toBeGreaterThan(seen);
      socket.resetAndDestroy();
    }
    unsubscribe('http.server.request.start', started);
    await expect
      .poll(() => (heldMemory(), responses.filter((response) => response.deref() !== undefined).length))
      .toBe(0);
  });

  test('a caller who ends its side at once is answered, and who ends it too early is refused', async () => {
    // Not from memory: the end has arrived before the answer is there.
    const search = `GET /api/v1/search?q=half-open HTTP/1.1\r\n${HOST}x-api-key: ${api.key}\r\n\r\n`;
    const whole = await exchangeHalfOpen(api.port, search);
    expect(parseAnswer(whole)).toMatchObject({ status: 200, rest: '' });
    await expectRefused(await exchangeHalfOpen(api.port, TOP), 400);
    expect(await exchangeHalfOpen(api.port)).toBe('');
  });

  test('a folded header does not become a header of its own', async () => {
    const text = await exchange(`${TOP}X-A: a\r\n x-api-key: ${api.key}\r\nConnection: close\r\n\r\n`);
    expect([400, 401]).toContain(parseAnswer(text).status);
  });

  test('500 slow connections do not keep good requests waiting, and are cut', async () => {
    const slow = Promise.all(Array.from({ length: 500 }, () => exchange('GET / HT')));
    expect((await api.get('/top')).status).toBe(200);
    const answers = await slow;
    expect(answers.every((text) => text === '' || parseAnswer(text).status === 408)).toBe(true);
  });

  test('a reader who takes a response too slowly is cut', async () => {
    const size = 50_000_000;
    const app = express();
    app.get('/', (_request, response) => {
      response.end(Buffer.alloc(size));
    });
    const limits = { requestTimeoutMs: 300, headersTimeoutMs: 300, checkingIntervalMs: 20 };
    await using listening = await listen(
      { ...api.api, app, handle: app },
      { port: 0, host: '127.0.0.1', limits },
    );
    const socket = connect(listening.port, '127.0.0.1');
    let received = 0;
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      received += bytes.length;
      // Some 6 MB a second: there is always progress, and never enough.
      socket.pause();
      setTimeout(() => socket.resume(), 10);
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(size);
  });

  test('readers who leave a lot unread are cut before others, and good ones are answered', async () => {
    const app = express();
    let closed = 0;
    app.get('/large', (request, response) => {
      request.socket.once('close', () => (closed += 1));
      response.end(LARGE);
    });
    app.get('/small', (_request, response) => {
      response.end('small');
    });
    const limits = { maxUnreadBytes: 4_000_000, checkingIntervalMs: 20, requestTimeoutMs: 60_000 };
    await using listening = await listen(
      { ...api.api, app, handle: app },
      { port: 0, host: '127.0.0.1', limits },
    );
    const open = (): Socket => connect(listening.port, '127.0.0.1').on('error', () => undefined);
    const good = open();
    let answered = '';
    good.on('data', (bytes: Buffer) => (answered += bytes.toString()));
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    good.write(ask('/small'));
    const greedy = Array.from({ length: 12 }, open);
    for (const socket of greedy) socket.pause().write(ask('/large'));
    // Three of them, with their headers, are within the bound.
    await expect.poll(() => closed).toBe(9);
    good.write(ask('/small'));
    await expect.poll(() => answered.match(/small/g)).toHaveLength(2);
    expect(closed).toBe(9);
    for (const socket of [good, ...greedy]) socket.destroy();
  });

  test('the parser’s refusals are logged without what was sent', async () => {
    await exchange(`${TOP}x-api-key: ${api.key}\r\nX-A : 1\r\n\r\n`);
    expect(api.log.some((line) => line.includes('"status":400') && line.includes('"method":null'))).toBe(
      true,
    );
    expect(api.log.join('')).not.toContain(api.key.slice(9));
  });
});
