import { createServer } from 'node:http';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { LOCALES, TEXTS } from '../../../src/texts/texts.ts';
import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';
import { HAPROXY_VERSION, startFront, type Front, type FrontOptions } from '../../support/front.ts';
import { freePort } from '../../support/free-ports.ts';
import { listenOnLoopback, type Listening } from '../../support/loopback.ts';
import { serveAccountsOf } from '../../support/pages.ts';
import { keyIn, visitor } from '../../support/visitor.ts';
import { exchange, exchangeInsisting, parseAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

/** On a busy machine it comes late, and that is no failure. */
const WAITING = { timeout: 30_000 };
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n';

describe.skipIf(HAPROXY_VERSION === null)('deploy/haproxy.cfg, before the account pages', () => {
  const opened = new AsyncDisposableStack();
  let admin: number;

  beforeAll(async () => {
    const server = opened.use(await listenOnLoopback(createServer((_, response) => response.end())));
    admin = server.port;
  });
  afterAll(() => opened.disposeAsync());

  describe('one address', () => {
    let url: string;
    let port: number;
    let link: string;

    beforeAll(async () => {
      port = await freePort();
      url = `http://127.0.0.1:${port}`;
      const api = opened.use(await runApi({ publicUrl: url, accountsAt: 'elsewhere' }, published()));
      const { token } = await api.accounts.invite('acme', 3_600_000);
      link = `/en/account/sign-in?link=${token}`;
      const apart = opened.use(await serveAccountsOf(api, url, ['loopback']));
      const [servers, accounts] = [api, apart].map((one) => [{ port: one.port, adminPort: admin }]);
      opened.use(
        await startFront({ servers: servers ?? [], accounts: accounts ?? [], publicUrl: url, port }),
      );
      await answering(port);
    });

    test('leads from the front page to an account, a key, and an answer to it', async () => {
      const one = visitor(url);
      const [, account = ''] = /href="([^"]+)"[^>]*>Account</.exec((await one.get('/en')).text) ?? [];
      const page = await one.get(new URL(account, `${url}/en`).pathname);
      expect(page.text).toContain(TEXTS.en.account.signIn.title);
      for (const [, asset = ''] of page.text.matchAll(/(?:href|src)="\.\.\/(assets\/[^"]+)"/g))
        expect((await one.get(`/${asset}`)).status, asset).toBe(200);
      await one.get(link);
      expect((await one.send('/account/sign-in')).text).toContain('Account acme');
      const made = await one.send('/account/keys', { label: 'a name & another = ключ' });
      const key = keyIn(made.text);
      const answer = await fetch(`${url}/api/v1/top`, { headers: { 'x-api-key': key } });
      expect(answer.status).toBe(200);
      await one.get('/en/account');
      expect((await one.send('/sign-out')).text).toContain(TEXTS.en.account.done.out);
    });

    test('refuses a form of another site, and one that is too large, with their own pages', async () => {
      const one = visitor(url);
      const foreign = await one.post(
        '/en/account/sign-in',
        { csrf: 'x' },
        { origin: 'https://evil.example' },
      );
      expect([foreign.status, foreign.headers.get('cache-control')]).toEqual([403, 'no-store']);
      const large = await one.post('/ru/account/keys', { label: 'x'.repeat(20_000) });
      expect(large.text).toContain(TEXTS.ru.account.trouble.large.title);
    });

    test('answers one form on a connection, and nothing that follows it', async () => {
      const form = `POST /en/account/keys HTTP/1.1\r\nHost: x\r\n${FORM}Content-Length: 3\r\n\r\na=b`;
      const second = 'GET /en/account HTTP/1.1\r\nHost: x\r\n\r\n';
      const text = await exchangeInsisting(port, form, second);
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403']);
      expect(parseAnswer(text).headers.get('connection')).toBe('close');
    });
  });

  describe('behind it', () => {
    /** What `accounts serve` was sent, and what `serve` was. */
    let seen: Seen;
    let api: Seen;

    beforeAll(async () => {
      seen = opened.use(await recorder());
      api = opened.use(await recorder());
    });

    const front = async (options: Partial<FrontOptions> = {}): Promise<Front> => {
      const own = await startFront({
        servers: [{ port: api.port, adminPort: admin }],
        accounts: [{ port: seen.port, adminPort: admin }],
        publicUrl: 'http://x',
        ...options,
      });
      await answering(own.port);
      return own;
    };
    const post = (more: string, body = 'a=b') =>
      `POST /en/account/keys HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${FORM}${more}\r\n${body}`;

    test.each([
      ...words('/en/account /ru/account /en/account?done=out /ru/account/sign-in?link=x'),
      ...words('/en/account/callback?code=x&state=y /assets/account.0123456789ab.css'),
    ])('%s is the account pages’', async (path) => {
      await using own = await front();
      await expectSent(own, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, { to: seen, not: api });
    });

    test.each([
      ...words('/en /en/accounts /en/account-x /de/account /assets/shell.x.css /en/search?q=/en/account'),
      ...words('//en/account'),
    ])('%s is not', async (path) => {
      await using own = await front();
      await expectSent(own, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, { to: api, not: seen });
    });

    test.each<readonly [string, string]>([
      ['two lengths', post('Content-Length: 3\r\nContent-Length: 3\r\n')],
      ['a length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
      ['chunks', post('Transfer-Encoding: chunked\r\n', '3\r\na=b\r\n0\r\n\r\n')],
      ['an expectation', post('Expect: 100-continue\r\nContent-Length: 3\r\n')],
      ['an upgrade', post('Upgrade: x\r\nContent-Length: 3\r\n')],
      ['a second host', post('Host: y\r\nContent-Length: 3\r\n')],
      ['a line without CR', post('A: b\nContent-Length: 3\r\n')],
      ['a name before a space', post('A : b\r\nContent-Length: 3\r\n')],
      ['a line break in its body', post('Content-Length: 9\r\n', 'a=b\r\nc: d')],
      ['an address with a host', post('Content-Length: 3\r\n').replace('/en', 'http://x/en')],
      ['another method', post('Content-Length: 3\r\n').replace('POST', 'PUT')],
    ])('a form with %s is refused by `serve`: the account pages never see it', async (_, request) => {
      await using own = await front();
      await expectSent(own, request, { to: api, not: seen });
    });

    test.each([
      ['the address that was seen, whatever the caller says of it', '10.0.0.0/8', '127.0.0.1'],
      ['the last address that a proxy says, where it is named', '10.0.0.0/8 127.0.0.0/8', '192.0.2.3'],
    ])('attempts are counted by %s', async (_by, proxies, counted) => {
      await using own = await front({ proxies });
      const said = 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2, 192.0.2.3\r\n';
      await expectSent(own, post(`${said}Content-Length: 3\r\n`), { to: seen, not: api });
      expect(seen.sources.at(-1)).toBe(counted);
      await expectSent(own, post('Content-Length: 3\r\n'), { to: seen, not: api });
      expect(seen.sources.at(-1)).toBe('127.0.0.1');
    });

    test.each(LOCALES)(
      'answers a page, %s, where the account pages do not, and sends nothing twice',
      async (locale) => {
        let asked = 0;
        const breaking = createServer((request) => {
          asked += 1;
          request.socket.destroy();
        });
        await using broken = await listenOnLoopback(breaking);
        await using own = await startFront({
          servers: [{ port: api.port, adminPort: admin }],
          accounts: [1, 2].map(() => ({ port: broken.port, adminPort: admin })),
          publicUrl: 'http://x',
        });
        for (const request of [
          `GET /${locale}/account/callback?code=x HTTP/1.1\r\nHost: x\r\n\r\n`,
          post('Content-Length: 3\r\n').replace('/en/', `/${locale}/`),
        ]) {
          await vi.waitFor(async () => {
            asked = 0;
            const answer = parseAnswer(await exchange(own.port, request));
            expect([answer.status, asked]).toEqual([503, 1]);
            const { title, text } = TEXTS[locale].account.trouble.unavailable;
            const page = Buffer.from(answer.body, 'latin1').toString();
            for (const said of [title, text, `lang="${locale}"`]) expect(page).toContain(said);
            expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
            expect(answer.headers.get('cache-control')).toBe('no-store');
            expect(answer.headers.has('access-control-allow-origin')).toBe(false);
          }, WAITING);
        }
      },
    );
  });
});

/** Resolves when both kinds of processes get requests. */
async function answering(port: number): Promise<void> {
  await vi.waitFor(async () => {
    for (const path of ['/en', '/en/account'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
  }, WAITING);
}

interface Seen extends Listening {
  /** Requests, as they came. */
  count: number;
  /** What they said of where they are from. */
  readonly sources: (string | undefined)[];
}

/** Takes every request for what it is, and none of it for a refusal of HAProxy’s. */
async function recorder(): Promise<Seen> {
  const seen = { count: 0, sources: [] as (string | undefined)[] };
  const answer = (request: { readonly headers: NodeJS.Dict<string | string[]> }): void => {
    seen.count += 1;
    seen.sources.push(request.headers['x-forwarded-for']?.toString());
  };
  const server = createServer((request, response) => {
    answer(request);
    response.setHeader('X-Content-Type-Options', 'nosniff').setHeader('X-RateLimit-Limit', '1').end();
  });
  // What it cannot parse has come here, too.
  server.on('clientError', (_, socket) => {
    seen.count += 1;
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request, socket) => {
    answer(request);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  server.keepAliveTimeout = 1;
  return Object.assign(seen, await listenOnLoopback(server));
}

async function expectSent(
  front: Front,
  request: string,
  { to, not }: { readonly to: Seen; readonly not: Seen },
): Promise<void> {
  const [before, others] = [to.count, not.count];
  await exchange(front.port, request);
  expect([to.count > before, not.count]).toEqual([true, others]);
}
