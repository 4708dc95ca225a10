import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunningApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { otherLanguage, runPages, serveAccountsOf } from '../../support/pages.ts';
import { runOperatorSite } from '../../support/operator-site.ts';
import { exchange, parseAnswer, type WireAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

/** What somebody without a key gets for addresses that are as long and as odd as they may be, from every port. */

const MOST_BYTES = 16_384;
/** What a page that is there may add for its query: what was looked for, in its parts and links. */
const ROOM_BYTES = 12_288;
const MARK = 'made-up-';

const opened = new AsyncDisposableStack();
const ports: Record<string, number> = {};
let api: RunningApi;

beforeAll(async () => {
  api = opened.use(await runPages({}, published({ subject: 'there' })));
  const apart = opened.use(await serveAccountsOf(api, api.url));
  const operators = opened.use(await runOperatorSite());
  Object.assign(ports, { api: api.port, accounts: apart.port, operators: operators.port });
});
afterAll(() => opened.disposeAsync());

async function ask(server: string, target: string): Promise<WireAnswer> {
  const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  return parseAnswer(await exchange(ports[server] ?? 0, head));
}

const BASES: Readonly<Record<string, readonly string[]>> = {
  api: [
    ...words('/ /en /ru/entries /en/entries/there /en/categories /en/search /en/status /en/account'),
    ...words('/ru/account/sign-in /docs /docs/en /docs/en/reference /assets /api/status /api/v1'),
    ...words('/api/v1/top /api/v1/listings /openapi.json /sitemap.xml'),
    '',
  ],
  accounts: ['', '/en', '/en/account', '/ru/account/sign-in', '/en/account/callback', '/assets'],
  operators: ['', '/en', '/ru/confirm', '/en/parked', '/en/lanes', '/en/act', '/assets', '/readyz'],
};
const LONG = 7800;
const filled = (piece: string): string => (MARK + piece).repeat(Math.floor(LONG / (MARK + piece).length));
const ENDS = [
  '/'.repeat(LONG),
  'a/'.repeat(LONG / 2),
  `/${'../'.repeat(LONG / 3)}`,
  `/${filled('/')}`,
  `/${filled('<"&')}`,
  `/${filled('%E2%80%AE')}`,
  ...['x', 'q', 'return', 'next', 'link', 'done', 'id', 'subject', 'locale', 'lang', 'category'].map(
    (name) => `?${name}=${filled('<"&')}`,
  ),
];

describe.each(Object.keys(BASES))('%s', (server) => {
  test.each(BASES[server] ?? [])(
    'a made-up end of %j costs no more than a page that is there',
    async (base) => {
      const { body: plain } = await ask(server, base === '' ? '/' : base);
      for (const end of ENDS) {
        const { status, body, headers } = await ask(server, base + end);
        const name = `${base}${end.slice(0, 30)}: ${status}`;
        const isThere = status === 200;
        expect(body.length, name).toBeLessThan(isThere ? plain.length + ROOM_BYTES : MOST_BYTES);
        const location = headers.get('location') ?? '';
        expect(isThere ? '' : body + location, name).not.toContain(MARK);
        expect(location.length, name).toBeLessThan(100);
      }
    },
  );
});

test('a refusal of an address that is too deep for a page still shows how to go on', async () => {
  const { status, body } = await ask('api', `/en${'/a'.repeat(10)}`);
  expect(status).toBe(404);
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? [];
  expect((await fetch(style)).status).toBe(200);
  expect(otherLanguage(body, 'ru')).toBe(`${api.url}/ru`);
});
