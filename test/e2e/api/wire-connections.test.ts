import { expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { expectRefused, HOST, runStrictApi, TOP } from '../../support/strict-api.ts';
import { exchange as exchangeWith, exchangeHalfOpen, parseAnswer } from '../../support/wire.ts';

/** What follows what on one connection, byte by byte. */

const api = forAllTests(runStrictApi);

const exchange = (...chunks: readonly (string | Buffer)[]) => exchangeWith(api.port, ...chunks);

/** Requests that have been answered so far. */
async function countAnswered(): Promise<number> {
  const counts = (await api.metrics()).matchAll(/^catalog_http_request_duration_seconds_count\S* (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

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
  const offered = `${TOP}x-api-key: ${api.key}\r\nExpect: 100-continue\r\n\r\n`;
  const before = await countAnswered();
  expect(parseAnswer(await exchange(`${offered}${close}`)).rest).toBe('');
  expect(await countAnswered()).toBe(before + 1);
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
  ['an upgrade to HTTP/2, which Java sends by itself', `GET /api/status HTTP/1.1\r\n${HOST}${H2C}\r\n`, 200],
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
