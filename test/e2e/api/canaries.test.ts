import { expect, test } from 'vitest';

import { newKey } from '../../../src/access/keys/key-format.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { exchange, exchangeHalfOpen } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

/** Keys put wherever a caller may put one by mistake or on purpose: they come back nowhere. */
const api = forAllTests(() => runApi({}, published()));

const NAMES = words('x-api-key api_key apikey key token q slug kind locale page whatever');
const HEADERS = [
  ...words('x-api-key authorization cookie referer user-agent if-none-match x-request-id accept-encoding'),
  ...words('accept-language x-forwarded-for forwarded origin range x-http-method-override'),
];

const anyCase = (name: string) => [
  name,
  name.toUpperCase(),
  name.replace(/^./, (first) => first.toUpperCase()),
];

/** Where a canary goes, as the path and the headers of a request, or as the bytes of a broken one. */
type Nest = (
  canary: string,
) => { readonly path: string; readonly headers?: Readonly<Record<string, string>> } | string;

const NESTS: readonly Nest[] = [
  ...NAMES.flatMap(anyCase).flatMap((name): readonly Nest[] => [
    (canary) => ({ path: `/api/v1/top?${name}=${canary}` }),
    (canary) => ({ path: `/api/v1/search?q=x&${name}=${canary}`, headers: { 'x-api-key': api.key } }),
  ]),
  ...HEADERS.flatMap((name): readonly Nest[] => [
    (canary) => ({ path: '/api/v1/top', headers: { [name]: canary } }),
    (canary) => ({
      path: '/api/v1/listings/nobody',
      headers: { 'x-api-key': api.key, [name]: `Bearer ${canary}` },
    }),
  ]),
  (canary) => ({ path: `/${canary}` }),
  (canary) => ({ path: `/api/v1/${canary}`, headers: { 'x-api-key': api.key } }),
  (canary) => ({ path: `/api/v1/listings/${canary}`, headers: { 'x-api-key': api.key } }),
  (canary) => ({ path: `/api/v1/listings/${canary}%ff`, headers: { 'x-api-key': api.key } }),
  (canary) => ({ path: `/api/v1/top?${canary}`, headers: { 'x-api-key': api.key } }),
  (canary) => ({ path: `/api/v1/top?${canary}=1`, headers: { 'x-api-key': api.key } }),
  (canary) => ({ path: `/api/v1/top?limit=${canary}`, headers: { 'x-api-key': api.key } }),
  (canary) => `GET /${canary} HTTP/9.9\r\n\r\n`,
  (canary) => `${canary} / HTTP/1.1\r\nHost: x\r\n\r\n`,
  (canary) => `GET / HTTP/1.1\r\n${canary}\r\n\r\n`,
  (canary) => `GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key : ${canary}\r\n\r\n`,
  (canary) => `CONNECT ${canary}:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
  (canary) => `GET /${canary.repeat(500)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  (canary) => `GET / HTTP/1.1\r\nHost: x\r\nExpect: ${canary}\r\n\r\n`,
  (canary) => `GET / HTTP/1.1\r\nHost: ${canary}\r\nHost: ${canary}\r\n\r\n`,
];

/** The answer, headers and all. */
function put(nest: Nest, canary: string): Promise<string> {
  const nested = nest(canary);
  return typeof nested === 'string' ? exchangeHalfOpen(api.port, nested) : get(nested.path, nested.headers);
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  return exchange(api.port, `${head}${fields.join('')}\r\n`);
}

test('of 200 keys in every place of a request none is in a log line, a metric or an error', async () => {
  const canaries = Array.from({ length: 200 }, newKey);
  const answers: string[] = [];
  for (const [index, canary] of canaries.entries()) {
    const nest = NESTS[index % NESTS.length];
    if (nest) answers.push(await put(nest, canary));
  }
  // Stores fail as well, with what was asked of them at hand.
  api.documents.fault = 'broken';
  for (const [index, canary] of canaries.slice(0, NESTS.length).entries()) {
    const nest = NESTS[index];
    if (nest) answers.push(await put(nest, canary));
  }
  const errors = answers.filter((answer) => !answer.startsWith('HTTP/1.1 200 '));
  expect(errors.length).toBeGreaterThan(200);
  const requests = api.log.filter((line) => line.includes('"msg":"request"'));
  // Of answers that cost nothing only some of each second have a line; the others are summed up.
  expect(requests.length).toBeGreaterThan(40);
  const said = [...api.log, ...errors, await api.metrics()].join('\n');
  // Neither whole nor in part, nor in the lower case that slugs and names of headers are brought to.
  const leaked = [api.key, ...canaries].filter((key) =>
    said.toLowerCase().includes(key.slice(9, 25).toLowerCase()),
  );
  expect(leaked).toEqual([]);
});

test('the labels of the metrics are the same, whatever paths and methods are asked for', async () => {
  const labels = async () =>
    new Set(
      [...(await api.metrics()).matchAll(/^catalog_http\w+\{(.*?)\}/gm)].map(([, found]) =>
        found?.replace(/le="[^"]*",?/, ''),
      ),
    );
  api.documents.fault = 'none';
  await get('/one');
  const before = await labels();
  for (let count = 0; count < 50; count += 1) {
    await get(`/${newKey()}`);
    await exchangeHalfOpen(api.port, `METHOD${count} /${count} HTTP/1.1\r\nHost: x\r\n\r\n`);
  }
  expect(await labels()).toEqual(before);
});
