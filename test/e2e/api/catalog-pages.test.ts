import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../../src/texts/texts.ts';
import { GUIDE_PAGES } from '../../../src/api/pages/docs/guide-sections.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import {
  categoryDefined,
  measured,
  probed,
  published,
  targetDefined,
  unpublished,
} from '../../support/events.ts';
import { runPages, addressesOf, anchorsOf, inEnglish } from '../../support/pages.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { words } from '../../support/words.ts';

/** The pages over HTTP: what holds for each of them, and what those of the catalog show. What is stored is what an attacker would have published. */

const ATTACK = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</title>]]>`;

const api = forAllTests(() =>
  runPages(
    { at: countedAt(9) },
    categoryDefined({ subject: 'tech', title: { en: `Tech ${ATTACK}`, ru: `Техника ${ATTACK}` } }),
    categoryDefined({ subject: 'ai', parent: 'tech', title: { en: 'AI', ru: 'ИИ' } }),
    published({
      category: 'ai',
      title: { en: `News ${ATTACK}`, ru: `Новости ${ATTACK}` },
      summary: { en: ATTACK, ru: ATTACK },
      description: { en: ATTACK, ru: ATTACK },
      tags: [ATTACK.slice(0, 30)],
      flags: ['scam'],
      image_url: 'https://elsewhere.example/picture.png?a=%22%3E',
      page_url: "https://elsewhere.example/'onmouseover='alert(1)",
      links: [{ rel: ATTACK.slice(0, 40), url: 'https://elsewhere.example/' }],
    }),
    measured(),
    published({ subject: 'helper', kind: 'bot', username: 'helper_bot', title: { en: 'Helper' } }),
    targetDefined({ name: { en: `Bot ${ATTACK.slice(0, 30)}`, ru: `Бот ${ATTACK.slice(0, 30)}` } }),
    ...Array.from({ length: 10 }, (_, index) =>
      index < 5
        ? probed({ round: FIRST + index, result: 'fail', cause: 'timeout', latency_ms: null })
        : probed({ round: FIRST + index }),
    ),
  ),
);

function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Response> {
  return fetch(`${api.url}${path}`, { method, redirect: 'manual', headers });
}

async function page(path: string): Promise<string> {
  const response = await ask(path);
  expect(response.status, path).toBe(200);
  return await response.text();
}

const PATHS = LOCALES.flatMap((locale) => [
  ...['', '/search', '/search?q=news', '/categories', '/categories/tech', '/entries/ai-news', '/status'].map(
    (path) => `/${locale}${path}`,
  ),
  ...['', '/reference', ...GUIDE_PAGES.map((name) => `/${name}`)].map((path) => `/docs/${locale}${path}`),
]);

describe.each(PATHS)('%s', (path) => {
  const isOfDocs = path.startsWith('/docs');

  test('is a page without a key, costs nothing, and is kept and asked about under a policy', async () => {
    const first = await ask(path, { 'accept-encoding': 'br' });
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(first.headers.get('content-language')).toBe(/\b(ru|en)\b/.exec(path)?.[0]);
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('1000');
    expect(first.headers.get('x-ratelimit-cost')).toBe('0');
    expect(first.headers.get('x-request-id')).not.toBeNull();
    expect(Number(first.headers.get('content-length'))).toBeLessThan(100_000);
    const again = await ask(path, { 'if-none-match': String(first.headers.get('etag')) });
    expect(again.status).toBe(304);
    for (const { headers } of [first, again]) {
      const policy = String(headers.get('content-security-policy'));
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/);
      expect(policy).toContain(isOfDocs ? "form-action 'none'" : "form-action 'self'");
      expect(policy).toMatch(/base-uri 'none'; form-action '\w+'; frame-ancestors 'none'$/);
      expect(policy).not.toMatch(/unsafe|\*|http/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
  });

  test('has the same headers at HEAD, and refuses other methods', async () => {
    const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'content-security-policy', 'content-type'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect((await ask(path, {}, 'POST')).status).toBe(405);
  });

  test('holds nothing of what was published as markup, and loads nothing from elsewhere', async () => {
    const markup = await page(path);
    expect(markup).not.toMatch(/<script>|onerror=alert\(1\)>(?!&)[^<]*<img|<img src=x|javascript:/i);
    expect(markup).not.toMatch(/<style|\sstyle=|\son\w+="|<script(?![^>]*\ssrc=)/);
    for (const [, address = ''] of markup.matchAll(
      /<(?:script|img|link rel="(?:icon|stylesheet)")[^>]* (?:src|href)="([^"]+)"/g,
    )) {
      expect(new URL(address, `${api.url}${path}`).origin).toBe(api.url);
    }
    expect(anchorsOf(markup)).toHaveLength(new Set(anchorsOf(markup)).size);
    expect(markup).not.toMatch(/undefined|\[object|NaN/);
  });

  test('leads nowhere where nothing is, and says where it stands in each language', async () => {
    const markup = await page(path);
    const addresses = addressesOf(markup);
    expect(addresses.length).toBeGreaterThan(10);
    for (const address of addresses) {
      const { origin, pathname, search, hash } = new URL(
        address.replaceAll('&amp;', '&'),
        `${api.url}${path}`,
      );
      expect(isOfDocs && origin !== api.url, address).toBe(false);
      if (origin !== api.url) continue;
      // The base itself is no address.
      expect((await ask(`${pathname}${search}`)).status, address).toBe(pathname === '/api/v1' ? 404 : 200);
      const anchors = isOfDocs && hash !== '' ? anchorsOf(await page(pathname)) : [hash.slice(1)];
      expect(anchors, address).toContain(hash.slice(1));
    }
    expect(markup).toContain(`<link rel="canonical" href="${api.url}${path}"`);
    for (const locale of [...LOCALES, 'x-default']) expect(markup).toContain(`hreflang="${locale}"`);
  });

  test('is the same whatever else stands in its query', async () => {
    const join = path.includes('?') ? '&' : '?';
    expect(await page(`${path}${join}utm_source=x&limit=0&page=x&kind=ghost`)).toBe(await page(path));
  });
});

describe('what is not there', () => {
  test.each([
    ...words('/en/entries/nothing /en/categories/nothing /ru/x /en/entries/a/b/ /ru/search/'),
    ...words('/en/%2e%2e%2fx'),
  ])('%s is a page that says so', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    const markup = await response.text();
    expect(markup).toContain(`<html lang="${path.slice(1, 3)}"`);
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(markup) ?? [];
    expect((await fetch(new URL(style, `${api.url}${path}`))).status).toBe(200);
  });

  test('a search that was one too many leads to the search in the other language', async () => {
    await using other = await runPages({ dailyLimit: 0 });
    expect((await fetch(`${other.url}/ru/search?q=news`)).status).toBe(429);
    expect(await inEnglish(other.url, '/search?q=news')).toBe('/en/search');
  });

  test('the page of an entry goes when the API has it no more, and so do the lists', async () => {
    const subject = 'leaving';
    await api.project(published({ subject, title: { en: 'Leaving soon' } }), measured({ subject }));
    await expect.poll(() => page('/en/search')).toContain('entries/leaving');
    await page('/en/entries/leaving');
    await api.project(unpublished({ subject }));
    await expect.poll(async () => (await ask('/en/entries/leaving')).status).toBe(404);
    expect((await api.get('/listings/leaving')).status).toBe(404);
    for (const path of ['/en', '/en/search', '/en/search?q=leaving']) {
      await expect.poll(() => page(path)).not.toContain('entries/leaving');
    }
  });
});

test('the pages and the API agree on what leads, and on how much there is', async () => {
  const { body } = await api.get('/top?locale=en&limit=50');
  const markup = await page('/en/search');
  const shown = Array.from(markup.matchAll(/href="[^"]*entries\/([^"]+)"/g), ([, slug]) => slug);
  expect(shown).toEqual(body.items?.map(({ slug }) => slug));
  const tree = (await api.get('/top?category=tech&limit=1')).body.total;
  expect(await page('/en/categories')).toMatch(new RegExp(`categories/tech"[^]*?count">${tree}<`));
});

test.each([
  ...words('/entries/nothing /x?a=1&b=%22 /search/').map((path) => [path, '']),
  ['/account/keys/nothing', '/account'],
  ...words('/search?q=news&kind=channel&page=2 /categories/tech?kind=bot').map((path) => [path, path]),
])('/ru%s leads to /en%s, and repeats nothing of what was refused', async (path = '', there) => {
  expect(await inEnglish(api.url, path)).toBe(`/en${there}`);
});

describe('searches of pages', () => {
  test('past the last page lead back to it, and say that nothing was found only where that is so', async () => {
    await using other = await runPages({}, published());
    const search = async (query: string) => await (await fetch(`${other.url}/en/search?${query}`)).text();
    expect(await search('q=news&page=9')).toMatch(/no entries on this page.*rel="prev"[^>]*\?q=news"/s);
    expect(await search('q=qzxw&page=9')).toContain('Nothing was found for “qzxw”');
    expect(await search('category=none')).not.toContain('“”');
    expect(await search('page=9')).toMatch(/^(?!.*rel="prev").*entries\/\w/s);
  });

  test('are limited by address: the one of the connection, whatever a stranger’s header says', async () => {
    await using other = await runPages({ dailyLimit: 3 }, published());
    const answers: Response[] = [];
    for (let index = 0; index < 5; index += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${index}` };
      answers.push(await fetch(`${other.url}/en/search?q=news${index}`, { headers }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(Number(answers[4]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answers[4]?.text()).toContain('<html lang="en"');
    // Who has a key goes on.
    expect((await other.get('/search?q=news')).status).toBe(200);
  });

  test('are limited by an address that comes with a port, and by one place for all that is none', async () => {
    await using other = await runPages({ dailyLimit: 1, trustedProxies: ['loopback'] }, published());
    const from = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${other.url}/en/search?q=news`, { headers })).status;
    expect(await from({ 'x-forwarded-for': '192.0.2.1:50001' })).toBe(200);
    expect(await from({ 'x-forwarded-for': '192.0.2.1:50002' })).toBe(429);
    expect(await from({ forwarded: 'for="192.0.2.1:50003"' })).toBe(429);
    expect(await from({ forwarded: 'for="[2001:db8::1]:50001"' })).toBe(200);
    expect(await from({ 'x-forwarded-for': '[2001:db8::2]:50002' })).toBe(429);
    expect(await from({ 'x-forwarded-for': 'unknown' })).toBe(200);
    expect(await from({ 'x-forwarded-for': '_hidden' })).toBe(429);
  });
});

test('the page of an entry says a summary once, also where the description begins with it, names its language, and cuts no sign', async () => {
  const [summary, more] = ['Walks for everybody.', 'Each of them says where one can sit down.'];
  const fire = `${'я'.repeat(299)}🔥`;
  const texts = { summary: { en: summary, ru: `${fire}.` }, description: { en: `${summary}\n\n${more}` } };
  await api.project(published({ subject: 'walks', language: 'ru', ...texts }));
  await expect.poll(async () => (await ask('/en/entries/walks')).status).toBe(200);
  const [shown = ''] = /<main.*<\/main>/s.exec(await page('/en/entries/walks')) ?? [];
  expect(shown.split(summary)).toHaveLength(2);
  expect(shown).toContain(`<p class="description" dir="auto">${more}</p>`);
  expect(shown).toContain('<dd>Russian</dd>');
  expect(await page('/ru/entries/walks')).toContain(`<meta name="description" content="${fire}" />`);
});
