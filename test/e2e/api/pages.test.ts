import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../../src/texts/texts.ts';
import { openApiDocument } from '../../../src/api/openapi/document.ts';
import { ERROR_CODES } from '../../../src/api/problems.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { published } from '../../support/events.ts';
import { addressesOf, anchorsOf, runPages } from '../../support/pages.ts';
import { exchange, parseAnswer, type WireAnswer } from '../../support/wire.ts';
import { words } from '../../support/words.ts';

const api = forAllTests(() => runPages({}, published()));

function ask(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(`${api.url}${path}`, { redirect: 'manual', ...options });
}

interface Described {
  readonly paths: Readonly<Record<string, { get: { operationId: string } }>>;
}

async function page(path: string): Promise<string> {
  return await (await ask(path)).text();
}

describe('the developer page', () => {
  test('has the same anchors in every language, one for each error code', async () => {
    const [first, ...others] = await Promise.all(
      LOCALES.map(async (locale) => anchorsOf(await page(`/docs/${locale}`))),
    );
    for (const anchors of others) expect(anchors).toEqual(first);
    expect(first).toEqual(expect.arrayContaining([...ERROR_CODES]));
  });

  test.each(LOCALES)('in %s holds no key, and leaves no place unfilled', async (locale) => {
    const own = await page(`/docs/${locale}`);
    expect(own).not.toMatch(/cat_live_[0-9A-Za-z]/);
    expect(own.replaceAll('/listings/{slug}', '').replaceAll('%{http_code}', '')).not.toMatch(
      /[^%$\w]\{\w+\}/,
    );
    expect(own).not.toContain('undefined');
  });

  test('leads to each operation by its name', async () => {
    const { paths } = openApiDocument({ locale: 'en', publicUrl: api.url }) as unknown as Described;
    const operations = Object.values(paths).map(({ get }) => `#${get.operationId}`);
    const links = addressesOf(await page('/docs/en')).filter((address) => address.includes('reference#'));
    expect(links.map((link) => link.replace('../docs/en/reference', '')).toSorted()).toEqual(
      operations.toSorted(),
    );
  });

  test('says the numbers that are in force', async () => {
    await using other = await runPages({ dailyLimit: 4321 });
    const own = await (await fetch(`${other.url}/docs/en/limits`)).text();
    expect(own).toContain('4,321 requests');
    expect(own).toContain('X-RateLimit-Limit: 4321');
  });
});

/** `fetch` adds headers of its own. */
async function askRaw(path: string, headers: Readonly<Record<string, string>>): Promise<WireAnswer> {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields.join('')}\r\n`;
  return parseAnswer(await exchange(Number(new URL(api.url).port), bytes));
}

test.each([
  ['ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'ru'],
  ['en-GB,en;q=0.9,ru;q=0.1', 'en'],
  ['en;q=0.2, ru;q=0.8', 'ru'],
  ['ru;q=0, en;q=0.1', 'en'],
  ['de-DE,de', 'en'],
  ['nonsense;;q=2', 'en'],
  ['//evil.example/, ..;q=1', 'en'],
  [`${'ru,'.repeat(2000)}en`, 'ru'],
  [undefined, 'ru'],
])('/ leads whoever reads %s to /%s, and says what that depends on', async (language, leadsTo) => {
  const headers = language === undefined ? {} : { 'accept-language': language };
  const { status, headers: said } = await askRaw('/?utm_source=x', headers);
  expect([status, said.get('location')]).toEqual([302, leadsTo]);
  expect(said.get('vary')).toContain('Accept-Language');
  expect(said.get('cache-control')).toBe('no-store');
  expect([said.get('x-ratelimit-remaining'), said.get('x-ratelimit-cost')]).toEqual(['1000', '0']);
  expect((await ask(`/${leadsTo}`)).status).toBe(200);
});

test('/docs leads to the default language, whatever the browser prefers', async () => {
  const response = await ask('/docs', { headers: { 'accept-language': 'en' } });
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('docs/ru');
  expect(response.headers.get('x-ratelimit-remaining')).toBe('1000');
});

describe('the files of the pages', () => {
  test('are kept for good under a name with their digest, and are compressed', async () => {
    const files = addressesOf(await page('/docs/en/reference')).filter((address) =>
      address.includes('assets/'),
    );
    expect(files).toHaveLength(7);
    for (const file of files) {
      const path = new URL(file, `${api.url}/docs/en/reference`).pathname;
      const [, extension = ''] = /\.[\w-]{12}\.(js|css|svg)$/.exec(path) ?? [];
      const { headers, status } = await ask(path, { headers: { 'accept-encoding': 'br' } });
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-language')).toBeNull();
      expect(headers.get('content-encoding')).toBe(extension === 'svg' ? null : 'br');
      expect(headers.get('content-type')).toBe(TYPES[extension]);
    }
  });

  const TYPES: Readonly<Record<string, string>> = {
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml',
  };

  test.each([
    ...words('/assets/ /assets/docs.css /assets/..%2fpages.ts /assets/..%2f..%2f..%2fpackage.json'),
    ...words('/assets/..%5cpages.ts /assets/x/%2e%2e /assets/%00 /assets/constructor'),
    ...words('/assets/__proto__ /assets/reference.js'),
  ])('%s is 404, and is not kept', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
  });
});
