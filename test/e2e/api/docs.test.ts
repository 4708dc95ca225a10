import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../../src/texts/texts.ts';
import { GUIDE_PAGES, readGuide } from '../../../src/api/pages/docs/guide-sections.ts';
import { firstMarkdown } from '../../../src/api/pages/docs/guide-markdown.ts';
import { docsContextIn } from '../../../src/api/pages/docs/docs-context.ts';
import { DEFAULT_POLICY } from '../../../src/monitor/policy.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { anchorsOf, runPages } from '../../support/pages.ts';
import { words } from '../../support/words.ts';

/** The developer pages as programs read them: twins in Markdown, llms.txt, the index of the search, the changelog's feed. */

const api = forAllTests(runPages);

const ask = (path: string) => fetch(`${api.url}${path}`, { redirect: 'manual' });
const read = async (path: string) => await (await ask(path)).text();
const PLACES = LOCALES.flatMap((locale) =>
  ['', ...GUIDE_PAGES.map((name) => `/${name}`)].map((one) => `/docs/${locale}${one}`),
);

describe.each(PLACES)('%s', (place) => {
  test('has a twin in Markdown with the same title, code and links', async () => {
    const [page, twin] = [await read(place), await ask(`${place}.md`)];
    expect(twin.status).toBe(200);
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(twin.headers.get('cache-control')).toBe('public, no-cache');
    expect(twin.headers.get('content-language')).toBe(place.split('/')[2]);
    const text = await twin.text();
    const [, title = ''] = /<h1>([^<]*)<\/h1>/.exec(page) ?? [];
    expect(text.split('\n')[0]).toBe(`# ${title}`);
    expect(text.match(/^```+\w/gm)?.length ?? 0).toBe(page.match(/<figure class="code"/g)?.length ?? 0);
    expect(text).not.toMatch(/undefined|\[object|<\w/);
    const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, address]) => String(address));
    for (const address of links) {
      const { origin, pathname, search, hash } = new URL(address);
      expect(origin).toBe(api.url);
      expect((await ask(`${pathname}${search}`)).status, address).toBe(200);
      const anchors = hash === '' ? [''] : anchorsOf(await read(pathname));
      expect(anchors, address).toContain(hash.slice(1));
    }
  });

  test('names its twin, and stands in the sitemap in every language', async () => {
    const page = await read(place);
    expect(page).toContain('rel="alternate" type="text/markdown"');
    expect(await read('/sitemaps/pages.xml')).toContain(`<loc>${api.url}${place}</loc>`);
  });
});

/** What stood on the one page of the guide, and may stand in links. */
const OLD_ANCHORS = words(
  'quick-start get-a-key ask answers addresses authentication limits counting used-up conditional sizes errors search languages score monitor policy changes may-change may-not-change client',
);

test.each(LOCALES)(
  'every anchor of the guide of one page is still on its first page, in %s',
  async (locale) => {
    expect(anchorsOf(await read(`/docs/${locale}`))).toEqual(expect.arrayContaining(OLD_ANCHORS));
  },
);

test('llms.txt lists every page in Markdown, and all of it is there', async () => {
  const response = await ask('/llms.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# Catalog Read API\n\n> /);
  const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, address]) => String(address));
  expect(links).toEqual(expect.arrayContaining(PLACES.map((place) => `${api.url}${place}.md`)));
  for (const link of links) expect((await fetch(link)).status, link).toBe(200);
});

test.each(LOCALES)('the index of the search leads to places that are there, in %s', async (locale) => {
  const places = (await (await ask(`/docs/${locale}/index.json`)).json()) as { href: string; text: string }[];
  expect(places.length).toBeGreaterThan(40);
  const pages = new Map<string, readonly string[]>();
  for (const { href } of places) {
    const [page = '', anchor = ''] = href.split('#');
    if (!pages.has(page)) pages.set(page, ['', ...anchorsOf(await read(`/${page}`))]);
    expect(pages.get(page), href).toContain(anchor);
  }
  expect(pages.size).toBe(GUIDE_PAGES.length + 2);
});

test.each(LOCALES)('the changelog has a feed whose entries stand on its page, in %s', async (locale) => {
  const response = await ask(`/docs/${locale}/changelog.atom`);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const feed = await response.text();
  const page = await read(`/docs/${locale}/changelog`);
  expect(page).toContain('type="application/atom+xml"');
  const ids = [...feed.matchAll(/<id>[^<]*#([^<]*)<\/id>/g)].map(([, id]) => String(id));
  expect(ids.length).toBeGreaterThan(2);
  expect(anchorsOf(page)).toEqual(expect.arrayContaining(ids));
  const dates = [...feed.matchAll(/<published>([^<]*)</g)].map(([, date]) => String(date));
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(/<updated>([^<]*)</.exec(feed)?.[1]).toBe(dates[0]);
});

test.each([
  ...words('/docs/ /docs/de /docs/ru/ /docs/ru/nothing /Docs/ru /docs/ru.md/ /docs/de.md'),
  ...words('/docs/ru/nothing.md /docs/ru/limits/ /docs/ru/limits/x /docs/ru/..%2fen'),
  ...words('/docs/ru/%2e%2e%2fllms.txt /docs/ru/__proto__ /docs/ru/constructor.md /docs//evil.example'),
  ...words('/docs/ru/index.json/x /llms.txt/'),
])('%s is 404, leads nowhere and sets nothing', async (path) => {
  const response = await ask(path);
  expect(response.status).toBe(404);
  expect(response.headers.get('location')).toBeNull();
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('whatever stands in an address or a header is not repeated on a page', async () => {
  const hostile = `"><script>alert(1)</script>`;
  for (const path of ['/docs/en', '/docs/en/reference', '/docs/en/limits', '/docs/en/limits.md']) {
    const response = await fetch(`${api.url}${path}?q=${encodeURIComponent(hostile)}`, {
      headers: { referer: `http://x/${hostile}`, 'accept-language': hostile },
    });
    expect(await response.text()).not.toContain('alert(1)');
  }
});

test.each(LOCALES)('the way to a key is the account, in %s', async (locale) => {
  expect(await read(`/docs/${locale}`)).toContain(`href="../${locale}/account"`);
  expect(await read(`/docs/${locale}/reference`)).toContain(`href="../../${locale}/account"`);
  expect(await read(`/docs/${locale}.md`)).toContain(`](${api.url}/${locale}/account)`);
});

test('where there are no accounts, none is named', () => {
  const facts = { dailyLimit: 1000, policy: DEFAULT_POLICY, hasAccounts: false, guide: readGuide() };
  const text = firstMarkdown(docsContextIn('en', 'http://x.example', facts, 'http://x.example/'));
  expect(text).toContain('ask them for one');
  expect(text).not.toContain('/account');
});
