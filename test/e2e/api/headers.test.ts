import { describe, expect, test } from 'vitest';

import { LIMITS } from '../../../src/api/http/limits.ts';
import { PUBLIC_URL, runApi, runUsedUp } from '../../support/api.ts';
import { categoryDefined, measured, probed, published, targetDefined } from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { exchange, parseAnswer } from '../../support/wire.ts';
import { forAllTests } from '../../support/for-each-test.ts';

/** Every header of every status: none missing, none beside those, each in its form. */

type Shape = Readonly<Record<string, string | RegExp>>;

const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT$/;
const COUNT = /^(0|[1-9]\d*)$/;

/** On every response, whatever its status. */
const ALWAYS: Shape = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Cost, RateLimit, RateLimit-Policy, Retry-After, ETag, Link, X-Request-Id, WWW-Authenticate',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  Vary: 'Accept-Encoding',
  'X-Request-Id': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'X-RateLimit-Limit': /^(1000|1)$/,
  'X-RateLimit-Remaining': COUNT,
  'X-RateLimit-Cost': /^[01]$/,
  'RateLimit-Policy': /^"daily";q=(1000|1);w=86400$/,
  RateLimit: /^"daily";r=\d+;t=[1-9]\d*$/,
  Date: DATE,
  // Every request here asks for it, or is refused so that nothing can follow it.
  Connection: 'close',
};
const BODY: Shape = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': /^[1-9]\d*$/ };
/** Of what a 200 says, a 304 repeats this (RFC 9110, section 15.4.5). */
const TAG: Shape = {
  ETag: /^W\/"[A-Za-z0-9_-]{43}"$/,
  'Content-Language': /^(ru|en)$/,
  'Cache-Control': 'private, no-cache',
};
const UPDATED: Shape = { 'Last-Modified': DATE };
const ERROR: Shape = { ...BODY, 'Content-Language': /^(ru|en)$/, 'Cache-Control': 'no-store' };
const CHALLENGE: Shape = { 'WWW-Authenticate': 'ApiKey realm="catalog", header="x-api-key"' };
const STATUS: Shape = { ...TAG, ...UPDATED, 'Content-Language': 'ru, en' };
const PUBLIC: Shape = { 'Cache-Control': 'public, max-age=15, stale-if-error=300' };

const HOST = 'Host: x\r\nConnection: close\r\n';

const limits = {
  keepAliveMs: LIMITS.keepAliveMs,
  headersTimeoutMs: 300,
  // Longer than the first search takes on a busy machine.
  requestTimeoutMs: 3000,
  checkingIntervalMs: 20,
};
const api = forAllTests(() =>
  runApi(
    { at: countedAt(0) + 1000, limits },
    categoryDefined(),
    published({ category: 'data-science' }),
    measured(),
    published({ subject: 'ai-memes', username: 'ai_memes' }),
    targetDefined(),
    probed({ round: FIRST }),
  ),
);
const usedUp = forAllTests(runUsedUp);
const broken = forAllTests(() => runApi({ confirmMs: 0 }));

/** A whole answer to GET or HEAD of a path, with the key of the API that is asked. */
async function answerTo(method: string, path: string, headers = '', asked = api, withKey = true) {
  const key = withKey ? `x-api-key: ${asked.key}\r\n` : '';
  const text = await exchange(asked.port, `${method} ${path} HTTP/1.1\r\n${HOST}${key}${headers}\r\n`);
  return parseAnswer(text, { hasBody: method !== 'HEAD' });
}

type Answered = Awaited<ReturnType<typeof answerTo>>;

function expectHeaders({ headers, names, rest }: Answered, shape: Shape): void {
  expect(names.toSorted(), 'the names').toEqual(Object.keys({ ...ALWAYS, ...shape }).toSorted());
  const forms = Object.entries({ ...ALWAYS, ...shape });
  const misshapen = forms.filter(([name, form]) => !hasForm(headers.get(name) ?? '', form));
  expect(misshapen.map(([name]) => `${name}: ${headers.get(name)}`)).toEqual([]);
  const [r, t] = [headers.get('x-ratelimit-remaining'), /t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]];
  expect(headers.get('ratelimit'), 'says the same as the older headers').toBe(`"daily";r=${r};t=${t}`);
  expect(Number(t)).toBeLessThanOrEqual(86_400);
  expect(rest).toBe('');
}

function hasForm(text: string, form: string | RegExp): boolean {
  return typeof form === 'string' ? text === form : form.test(text);
}

const SEARCH = '/api/v1/search?q=ai&limit=1&locale=en';
const LISTING = '/api/v1/listings/ai-news';

const READ: readonly (readonly [string, string, Shape])[] = [
  ['a search', SEARCH, { ...TAG, Link: /^<https:\/\/catalog\.example\/\S+>; rel="next"$/ }],
  ['a search without neighbours', '/api/v1/search?q=zzzzzz', TAG],
  ['a listing', LISTING, { ...TAG, ...UPDATED }],
  ['the top', '/api/v1/top', TAG],
  ['the categories', '/api/v1/categories', TAG],
  ['the keyed status', '/api/v1/status', STATUS],
  ['the public status', '/api/status', { ...STATUS, ...PUBLIC }],
  ['the description', '/openapi.json', { ...TAG, 'Cache-Control': 'public, max-age=300' }],
];

describe('200', () => {
  test.each(READ)('of %s has its headers, as GET and as HEAD', async (_what, path, shape) => {
    const got = await answerTo('GET', path);
    expect(got.status).toBe(200);
    expectHeaders(got, { ...BODY, ...shape });
    expect(Buffer.byteLength(got.body, 'latin1')).toBe(Number(got.headers.get('content-length')));
    const head = await answerTo('HEAD', path);
    expect(head.status).toBe(200);
    expectHeaders(head, { ...BODY, ...shape });
    for (const name of Object.keys({ ...BODY, ...shape })) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name));
    }
  });

  test.each(['br', 'gzip'])('in %s says so, and HEAD says how long that is', async (encoding) => {
    const accept = `Accept-Encoding: ${encoding}\r\n`;
    const shape = { ...BODY, ...TAG, ...UPDATED, 'Content-Encoding': encoding };
    const got = await answerTo('GET', LISTING, accept);
    expectHeaders(got, shape);
    const head = await answerTo('HEAD', LISTING, accept);
    expectHeaders(head, shape);
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
    expect(got.headers.get('etag')).toBe((await answerTo('GET', LISTING)).headers.get('etag'));
  });

  test('keeps the connection unless the caller asks otherwise', async () => {
    const close = `GET /api/status HTTP/1.1\r\n${HOST}\r\n`;
    const text = await exchange(api.port, 'GET /api/status HTTP/1.1\r\nHost: x\r\n\r\n', close);
    const kept = { ...BODY, ...STATUS, ...PUBLIC, Connection: 'keep-alive', 'Keep-Alive': 'timeout=75' };
    const first = parseAnswer(text);
    expectHeaders({ ...first, rest: '' }, kept);
    expectHeaders(parseAnswer(first.rest), { ...BODY, ...STATUS, ...PUBLIC });
  });
});

test.each(READ)('304 of %s repeats what caches keep, and nothing of the body', async (_what, path, shape) => {
  const { headers } = await answerTo('GET', path);
  const { Link: _link, ...repeated } = shape;
  for (const method of ['GET', 'HEAD']) {
    const again = await answerTo(method, path, `If-None-Match: ${headers.get('etag')}\r\n`);
    expect(again.status).toBe(304);
    expectHeaders(again, repeated);
    for (const name of Object.keys(repeated)) expect(again.headers.get(name)).toBe(headers.get(name));
    expect(again.headers.get('x-ratelimit-cost')).toBe('0');
  }
});

test('204, a preflight, has no body, nor a length', async () => {
  const asks = 'Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\n';
  for (const path of [LISTING, '/api/status', '/nothing', '*']) {
    const answer = await answerTo('OPTIONS', path, asks, api, false);
    expect(answer.status).toBe(204);
    expectHeaders(answer, {
      Allow: 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
      'Access-Control-Allow-Headers': 'x-api-key, if-none-match, x-request-id',
      'Access-Control-Max-Age': '7200',
      'X-RateLimit-Remaining': '1000',
      'X-RateLimit-Cost': '0',
    });
  }
});

/** What is said of the quota: nobody was counted, nobody knows, or a request was. */
const UNTOUCHED: Shape = { 'X-RateLimit-Remaining': '1000', 'X-RateLimit-Cost': '0' };
const NOTHING_LEFT: Shape = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Cost': '0' };
const ENGLISH: Shape = { 'Content-Language': 'en' };
const COUNTED: Shape = { 'X-RateLimit-Remaining': /^9\d\d$/, 'X-RateLimit-Cost': '1' };

const REFUSED: readonly (readonly [number, string, string, string, Shape])[] = [
  [400, 'a wrong parameter', '/api/v1/top?limit=0', '', COUNTED],
  [400, 'a key in the query beside a good one', '/api/v1/top?key=1', '', COUNTED],
  [400, 'a broken encoding', '/api/v1/top?q=%ff', '', UNTOUCHED],
  [400, 'an unknown expectation', '/api/status', 'Expect: x\r\n', UNTOUCHED],
  [401, 'no key', '/api/v1/top', '', { ...CHALLENGE, ...NOTHING_LEFT }],
  [401, 'a bad key', '/api/v1/top', 'x-api-key: sesame\r\n', { ...CHALLENGE, ...NOTHING_LEFT }],
  [401, 'a key in the query', '/api/v1/top?key=1', '', { ...CHALLENGE, ...NOTHING_LEFT }],
  [404, 'an absent listing', '/api/v1/listings/nobody', '', COUNTED],
  [404, 'an unknown address', '/nothing', '', UNTOUCHED],
  [413, 'a body', '/api/v1/top?locale=en', 'Content-Length: 1\r\n', { ...UNTOUCHED, ...ENGLISH }],
];

describe('an error has the headers of its status, as GET and as HEAD', () => {
  test.each(REFUSED)('%i, %s', async (status, _what, path, headers, shape) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await answerTo(method, path, headers, api, status !== 401);
      expect(answer.status).toBe(status);
      expectHeaders(answer, { ...ERROR, ...shape });
    }
  });

  test.each([
    [400, 'hello\r\n\r\n', {}],
    [405, `CONNECT x:1 HTTP/1.1\r\n${HOST}\r\n`, { Allow: 'GET, HEAD, OPTIONS' }],
    [405, `FOO / HTTP/1.1\r\n${HOST}\r\n`, { Allow: 'GET, HEAD, OPTIONS' }],
    [405, `POST ${LISTING} HTTP/1.1\r\n${HOST}\r\n`, { Allow: 'GET, HEAD, OPTIONS' }],
    [408, `GET / HTTP/1.1\r\n${HOST}`, {}],
    [414, `GET /${'a'.repeat(10_000)} HTTP/1.1\r\n${HOST}\r\n`, {}],
    [431, `GET / HTTP/1.1\r\n${HOST}a: ${'a'.repeat(10_000)}\r\n\r\n`, {}],
    [431, `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(120)}\r\n`, {}],
    [400, `HEAD / HTTP/1.1\r\n${HOST}a : b\r\n\r\n`, {}],
    [414, `HEAD /${'a'.repeat(10_000)} HTTP/1.1\r\n${HOST}\r\n`, {}],
    [431, `HEAD / HTTP/1.1\r\n${HOST}a: ${'a'.repeat(10_000)}\r\n\r\n`, {}],
  ])('%i, of the parser, its limits or the method, to HEAD without a body', async (status, bytes, shape) => {
    const hasBody = !bytes.startsWith('HEAD ');
    const answer = parseAnswer(await exchange(api.port, bytes), { hasBody });
    expect(answer.status).toBe(status);
    expectHeaders(answer, { ...ERROR, ...UNTOUCHED, ...shape });
  });

  test('429', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await answerTo(method, '/api/v1/top', '', usedUp);
      expect(answer.status).toBe(429);
      expectHeaders(answer, { ...ERROR, ...NOTHING_LEFT, 'Retry-After': /^[1-9]\d*$/ });
      const reset = /t=(\d+)/.exec(String(answer.headers.get('ratelimit')))?.[1];
      expect(answer.headers.get('retry-after')).toBe(reset);
    }
  });

  test('500, and 503 where the key could not be checked', async () => {
    for (const [fault, status, shape] of [
      ['broken', 500, {}],
      ['down', 503, { 'Retry-After': '2' }],
    ] as const) {
      broken.documents.fault = fault;
      for (const method of ['GET', 'HEAD']) {
        const answer = await answerTo(method, '/api/v1/top', '', broken);
        expect(answer.status).toBe(status);
        expectHeaders(answer, { ...ERROR, ...NOTHING_LEFT, ...shape });
      }
      broken.documents.fault = 'none';
    }
  });

  test('503 where the request was counted gives it back', async () => {
    broken.documents.failCollections = ['aliases'];
    const answer = await answerTo('GET', '/api/v1/top', '', broken);
    broken.documents.failCollections = [];
    expect(answer.status).toBe(503);
    expectHeaders(answer, { ...ERROR, ...UNTOUCHED, 'Retry-After': '2' });
  });
});

test('no response says where it was asked, and none what runs here', async () => {
  const asked =
    'X-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nOrigin: https://evil.example\r\n';
  for (const path of [SEARCH, '/nothing', '/openapi.json', '/api/v1/top?limit=0']) {
    const text = `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nx-api-key: ${api.key}\r\n${asked}\r\n`;
    const answer = await exchange(api.port, text);
    expect(answer).not.toMatch(/evil\.example|express|x-powered-by|^server:/im);
    expect(answer).toContain(PUBLIC_URL);
  }
});
