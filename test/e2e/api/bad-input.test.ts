import { METHODS } from 'node:http';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { forAllTests } from '../../support/for-each-test.ts';
import { anyText } from '../../support/any-text.ts';
import { runApi } from '../../support/api.ts';
import { LISTINGS } from '../../support/collections.ts';
import { published } from '../../support/events.ts';
import { exchange, exchangeHalfOpen, parseAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

/** What nobody sends by mistake alone. Every answer is held to the OpenAPI document; none may be a fault of ours. */

const LONGEST = `${'a'.repeat(63)}-${'b'.repeat(64)}`;

const api = forAllTests(() =>
  runApi(
    { dailyLimit: 1_000_000, storeLimitMs: 30_000 },
    published(),
    published({ subject: LONGEST, username: 'longest' }),
  ),
);

describe('a whole number', () => {
  const WRONG = [
    ...words('0 51 -1 -0 +1 1+ %2B1 01 1e1 1e3 0x10 0b1 1_0 1,0 1.0 5.0 .5 5. %205 5%20 5%0A 5%00'),
    ...words('NaN Infinity true null [] %EF%BC%91 %D9%A1 %C2%B2 9007199254740992 1e400'),
    '',
    '9'.repeat(500),
  ];

  test.each(['page', 'limit'])('%s of a search is read as 1 to 50 and nothing else', async (name) => {
    for (const value of WRONG) {
      const { status, body } = await api.get(`/search?q=a&locale=en&${name}=${value}`);
      expect(status, value).toBe(400);
      expect(body.error?.message, value).toContain(`Parameter ${name} `);
      expect(body.error?.message, value).toContain('a whole number from 1 to 50');
    }
    for (const value of ['1', '9', '10', '49', '50']) {
      expect((await api.get(`/search?q=a&${name}=${value}`)).body[name]).toBe(Number(value));
    }
  });

  test('limit of the top is read as 1 to 100 and nothing else', async () => {
    for (const value of [...WRONG.filter((wrong) => wrong !== '51'), '101']) {
      expect((await api.get(`/top?limit=${value}`)).status, value).toBe(400);
    }
    expect((await api.get('/top?limit=100')).body['limit']).toBe(100);
  });
});

describe('one of a few words', () => {
  const WRONG = [
    ...words('kind=Channel kind=CHANNEL kind=channel%20 kind=%20channel kind=+bot kind=b%D0%BEt kind=bot%00'),
    ...words('kind=bot,channel kind=* kind=null kind[]=bot kind[0]=bot kind[a]=b kind= kind'),
    ...words('kind=bot&kind=bot kind=bot&KIND=bot locale=en&locale=ru locale[]=en'),
    ...words('locale=EN locale=en-US locale=ru%0A locale= locale=constructor locale=__proto__'),
  ];

  test.each(WRONG)('%s is refused', async (query) => {
    expect((await api.get(`/top?${query}`)).status).toBe(400);
    expect((await api.get(`/search?q=a&${query}`)).status).toBe(400);
  });

  test.each([
    ...words('/categories?kind=bot /listings/ai-news?kind=channel /categories?q=a /top?page=1'),
    ...words('/top?q=a /search?q=a&q[$ne]=1 /search?q=a&category[$gt]=1 /search?q=a&__proto__[x]=1'),
    ...words('/search?q=a&constructor.prototype=1 /search?q=a&toString=1 /search?q=a&$where=1'),
  ])('%s has a parameter of another address or of none, and is refused', async (path) => {
    expect((await api.get(path)).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('a slug', () => {
  const WRONG = [
    ...words('..%2f..%2fetc%2fpasswd ..%5c %5c %00 ai-news%00 ai-news%0A ai-news%20 %20ai-news - -ai-news'),
    ...words('ai-news- ai-news.css ai-news.json ai-news;v=1 ai-news,x ai_news * $where x%27%20OR%201=1'),
    ...words('%E2%80%AEai-news %D0%B0i-news a%C4%B1-news __proto__ to_string %7B%22$ne%22:1%7D'),
    `${LONGEST}b`,
    'a'.repeat(4000),
  ];

  test.each(WRONG)('%s names no listing: 404, which costs a request and asks no store', async (slug) => {
    const before = api.documents.calls.length;
    const { status, body, headers } = await api.get(`/listings/${slug}`);
    expect([status, body.error?.code, headers.get('x-ratelimit-cost')]).toEqual([404, 'not_found', '1']);
    const asked = api.documents.calls.slice(before);
    expect(asked.filter((call) => call.includes(LISTINGS))).toEqual([]);
  });

  test.each(['AI-NEWS', '%61i-news', 'ai%2Dnews', '%41I-News', LONGEST, LONGEST.toUpperCase()])(
    '%s is one, in any case and however its letters are encoded',
    async (slug) => {
      const { body } = await api.get(`/listings/${slug}`);
      expect(body['slug']).toBe(decodeURIComponent(slug).toLowerCase());
    },
  );
});

describe('a query', () => {
  test.each(words('?= ?=1 ??limit=1 ?%3Flimit=1 ?limit=1;kind=bot ?limit=1%26kind=bot ?limit==1'))(
    '%s is read as it stands, and refused',
    async (query) => {
      expect((await api.get(`/top${query}`)).status).toBe(400);
    },
  );

  test('is decoded once: %2B is a plus, %2526 is %26, + is a space', async () => {
    expect((await api.get('/search?q=c%2B%2B')).body['query']).toBe('c++');
    expect((await api.get('/search?q=a%2526b')).body['query']).toBe('a%26b');
    expect((await api.get('/search?q=a+b')).body['query']).toBe('a b');
    expect((await api.get('/search?%71=a')).body['query']).toBe('a');
  });

  test('text in NFD is the same question as in NFC, with one address', async () => {
    const answers = await Promise.all(
      ['NFC', 'NFD'].map((form) => api.get(`/search?q=${encodeURIComponent('Ёжик café'.normalize(form))}`)),
    );
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(answers[0]?.headers.get('etag')).toBe(answers[1]?.headers.get('etag'));
  });

  test('a line end in a filter becomes no header of ours', async () => {
    const { status, headers, body } = await api.get('/search?q=news&category=a%0D%0AX-Evil:%201&page=2');
    expect(status).toBe(200);
    expect(headers.get('x-evil')).toBeNull();
    expect(body['category']).toBe('a\r\nX-Evil: 1');
  });
});

describe('a method', () => {
  const OTHERS = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));

  test('other than GET, HEAD and OPTIONS is 405 everywhere, with what is allowed', async () => {
    for (const method of OTHERS) {
      for (const path of ['/api/v1/top', '/api/v1/listings/ai-news', '/api/status', '/openapi.json']) {
        const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const { status, headers } = parseAnswer(await exchange(api.port, text));
        expect([status, headers.get('allow')], method).toEqual([405, 'GET, HEAD, OPTIONS']);
      }
    }
  });

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    'is what the request line says, whatever %s does',
    async (name) => {
      const { status, body } = await api.get('/top', { [name]: 'DELETE' });
      expect(status).toBe(200);
      expect(body.items).toBeDefined();
      expect((await fetch(`${api.url}/api/v1/top?_method=GET`, { method: 'POST' })).status).toBe(405);
    },
  );
});

describe('If-None-Match', () => {
  test('is looked through to its end, and is too long where it is beyond the limit of headers', async () => {
    const etag = String((await api.get('/categories')).headers.get('etag'));
    const others = Array.from({ length: 120 }, (_, index) => `W/"${String(index).padStart(43, 'x')}"`);
    const status = async (tags: string) => (await api.get('/categories', { 'if-none-match': tags })).status;
    expect(await status([...others, etag].join(', '))).toBe(304);
    expect(await status(others.join(','))).toBe(200);
    expect(
      (await fetch(`${api.url}/api/status`, { headers: { 'if-none-match': `"${'x'.repeat(9000)}"` } }))
        .status,
    ).toBe(431);
  });

  test('is asked of what would be a 200 alone: an error stays what it is', async () => {
    expect((await api.get('/listings/nobody', { 'if-none-match': '*' })).status).toBe(404);
    expect((await api.get('/top?limit=0', { 'if-none-match': '*' })).status).toBe(400);
  });

  test.each([
    { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    { 'if-match': '"another"' },
    { 'cache-control': 'only-if-cached' },
  ])('is the only condition: %j changes nothing', async (headers) => {
    expect((await api.get('/listings/ai-news', headers)).status).toBe(200);
  });
});

const VALID =
  'GET /api/v1/search?q=ai&limit=5 HTTP/1.1\r\nHost: x\r\nx-api-key: KEY\r\nConnection: close\r\n\r\n';
const NOISE = fc.oneof(
  fc.constantFrom('\r\n', ...Array.from('\r\n\0 \t:%#?&/\\*'), '%00', '%ff', '//'),
  fc.constantFrom('Host: y\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n', 'Expect: x\r\n'),
  anyText(20),
);

test('any bytes in the middle of a request are answered at most once, by no fault of ours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(VALID.length), fc.nat(3), NOISE, async (at, dropped, noise) => {
      const bytes = VALID.slice(0, at) + noise + VALID.slice(at + dropped);
      const text = await exchangeHalfOpen(api.port, bytes.replace('KEY', api.key));
      const { status, rest, headers } = parseAnswer(text);
      // What has lost its path is sent to the front page.
      expect([200, 204, 302, 400, 401, 404, 405, 408, 413, 414, 431], JSON.stringify(bytes)).toContain(
        status,
      );
      expect(rest === '' || parseAnswer(rest).status === 400, JSON.stringify(bytes)).toBe(true);
      expect(headers.get('x-ratelimit-limit')).toBe('1000000');
    }),
    { numRuns: 300 },
  );
  expect((await api.get('/top')).status).toBe(200);
});

test('none of it was a fault of ours', () => {
  expect(api.log.length).toBeGreaterThan(20);
  expect(api.log.filter((line) => line.includes('a fault of ours'))).toEqual([]);
});
