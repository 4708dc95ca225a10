import { expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { HOST, runStrictApi, TOP } from '../../support/strict-api.ts';
import { exchange as exchangeWith, parseAnswer } from '../../support/wire.ts';

/** Requests that look odd, and are none the less right. */

const api = forAllTests(runStrictApi);

const exchange = (...chunks: readonly (string | Buffer)[]) => exchangeWith(api.port, ...chunks);
const ask = async (target: string, host = HOST) =>
  parseAnswer(await exchange(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`));

test('an empty body, Expect: 100-continue without a body, and a wish to upgrade change nothing', async () => {
  for (const header of ['Content-Length: 0', 'Expect: 100-continue', 'Upgrade: websocket']) {
    const text = await exchange(`${TOP}x-api-key: ${api.key}\r\n${header}\r\nConnection: close\r\n\r\n`);
    expect(parseAnswer(text).status, header).toBe(200);
  }
});

test.each([
  'http://evil.example/en/account?done=out',
  'HTTPS://evil.example/en/account/sign-in?link=a',
  'http://a:b@evil.example:99999999/openapi.json',
])('an absolute address is its path: %s', async (address) => {
  const { status, body, headers } = await ask(address);
  expect(`${status} ${JSON.stringify([...headers])} ${body}`).toMatch(/^200(?!.*evil\.example)/s);
});

test.each(['http://', 'abc://?q=1', 'http://[::1', '*', '//evil.example/api/status'])(
  'an address without a path of ours (%s) is 404 like any other',
  async (target) => {
    const answer = await ask(target);
    expect(answer.status).toBe(404);
    const response = new Response(Buffer.from(answer.body, 'latin1'), answer);
    expect(await expectDocumented(response, '/nothing')).toMatchObject({ error: { code: 'not_found' } });
  },
);

test.each(['http://evil.example', 'http:///'])('an address without a path (%s) is /', async (target) => {
  const { status, headers } = await ask(target);
  expect([status, headers.get('location')]).toEqual([302, 'ru']);
});

test.each(['', 'a', 'a:', 'a:80', '[::1]:8080', '1.2.3.4', 'xn--e1afmkfd.example', 'a_b.example'])(
  'a Host of %s',
  async (host) => expect((await ask('/api/status', `Host: ${host}\r\n`)).status).toBe(200),
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
