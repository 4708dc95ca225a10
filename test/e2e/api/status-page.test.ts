import { describe, expect, test } from 'vitest';

import { monitor } from '../../../projections/monitor/index.ts';
import { LOCALES } from '../../../src/texts/texts.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { probed, published, targetDefined, unpublished } from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { runPages } from '../../support/pages.ts';

/** What is made for programs and other pages beside the status page, and for search engines. */

const api = forAllTests(async () => {
  const failing = { result: 'fail', cause: 'timeout', latency_ms: null } as const;
  const name = '"><script>alert(1)</script>';
  return await runPages(
    { at: countedAt(9) },
    published(),
    published({ subject: 'helper', kind: 'bot', username: 'helper_bot', title: { en: 'Helper' } }),
    targetDefined({ name: { en: name, ru: name } }),
    ...Array.from({ length: 10 }, (_, index) =>
      probed({ round: FIRST + index, ...(index < 5 ? failing : {}) }),
    ),
  );
});

const ask = (path: string) => fetch(`${api.url}${path}`);
const page = async (path: string) => await (await ask(path)).text();

describe('the status page and what is taken from it', () => {
  test('tells what the API tells, incident by incident', async () => {
    const status = (await (await ask('/api/status')).json()) as {
      incidents: { id: string }[];
      text: { en: string };
    };
    const markup = await page('/en/status');
    expect(status.incidents.length).toBeGreaterThan(0);
    for (const { id } of status.incidents) expect(markup).toContain(`id="${id}"`);
    expect(markup).toContain(status.text.en);
    expect(markup).toContain('http-equiv="refresh"');
    const [bars = ''] = /<svg\s+class="bars".*?<\/svg>/s.exec(markup) ?? [];
    expect(bars.match(/<rect\s+class="gap"/g)).toHaveLength(90);
  });

  test('the front page is shown while the monitor is not known yet', async () => {
    const other = await api.another();
    other.documents.silentCollections = [`${monitor.name}@${monitor.version}`];
    const response = await fetch(`${other.url}/en`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('entries/ai-news');
  });

  test('the feed is Atom, with an entry for each incident', async () => {
    const response = await ask('/ru/status/incidents.atom');
    expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
    const feed = await response.text();
    expect(feed).toMatch(
      /^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom"/,
    );
    expect(feed).toMatch(/<updated>\d{4}-[^<]+Z<\/updated>/);
    expect(feed.match(/<entry>/g)).toHaveLength(1);
    expect(feed).not.toContain('<script>');
  });

  test('the badge may stand on any page, and holds no script', async () => {
    const response = await ask('/en/status/badge.svg');
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(await response.text()).toMatch(/<title>platform: [a-z]+<\/title>/);
  });

  test('is shown while every store is down', async () => {
    await using other = await runPages();
    other.documents.fault = 'down';
    expect((await fetch(`${other.url}/en/status`)).status).toBe(200);
    expect((await fetch(`${other.url}/en`)).status).toBe(503);
  });
});

describe('the sitemap', () => {
  test('leads to every entry in each language, and forgets what was unpublished within a minute', async () => {
    const index = await page('/sitemap.xml');
    const shards = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, address]) => new URL(String(address)).pathname,
    );
    expect(shards).toEqual(['/sitemaps/pages.xml', '/sitemaps/entries-1.xml']);
    const shard = await page('/sitemaps/entries-1.xml');
    for (const locale of LOCALES) expect(shard).toContain(`<loc>${api.url}/${locale}/entries/ai-news</loc>`);
    await api.project(unpublished({ subject: 'helper' }));
    api.clock.movedMs += 60_000;
    await expect.poll(() => page('/sitemaps/entries-1.xml')).not.toContain('entries/helper');
  });

  test.each(['/sitemaps/entries-0.xml', '/sitemaps/entries-2.xml', '/sitemaps/x.xml'])(
    '%s is 404',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  test('is named in robots.txt', async () => {
    expect(await page('/robots.txt')).toContain(`Sitemap: ${api.url}/sitemap.xml`);
  });
});
