import { beforeAll, describe, expect, test } from 'vitest';

import { GUIDE_PAGES } from '../../../src/api/pages/docs/guide-sections.ts';
import { type Locale, LOCALES } from '../../../src/texts/texts.ts';
import { FLAGS } from '../../../src/sample/catalog.ts';
import { expectDocumented } from '../../support/openapi-validation.ts';
import { probed, published, targetDefined } from '../../support/events.ts';
import { countedAt, FIRST } from '../../support/monitor.ts';
import { runPages } from '../../support/pages.ts';
import { sayServed } from '../../support/sample-served.ts';
import { forAllTests } from '../../support/for-each-test.ts';
import { words } from '../../support/words.ts';

/** What is generated is called so wherever it is shown, and nothing else is. */

const NOTICE: Readonly<Record<Locale, string>> = {
  ru: 'Это пример: названия настоящие, а тексты, числа и инциденты сгенерированы.',
  en: 'This is a sample: names are real; texts, numbers and incidents are generated.',
};
const MARK: Readonly<Record<Locale, string>> = { ru: '(пример)', en: '(sample)' };

const PAGES = LOCALES.flatMap((locale) =>
  [
    ...words(`/${locale} /${locale}/search /${locale}/categories /${locale}/entries/ai-news`),
    ...words(`/${locale}/entries/nobody /${locale}/nowhere /${locale}/status /docs/${locale}`),
    ...words(`/docs/${locale}/${GUIDE_PAGES[0]} /docs/${locale}/reference`),
  ].map((path) => ({ locale, path })),
);

const ROUNDS = 6;
const FAILING = Array.from({ length: ROUNDS + 1 }, (_, index) =>
  probed({ round: FIRST + index, result: 'fail', latency_ms: null, cause: 'timeout' }),
);
const api = forAllTests(() =>
  runPages(
    { at: countedAt(ROUNDS) + 1000 },
    published({ flags: [...FLAGS, 'restricted'] }),
    targetDefined(),
    ...FAILING,
  ),
);

async function textAt(path: string): Promise<string> {
  return await (await fetch(`${api.url}${path}`)).text();
}

async function statusAt(path: string, headers: Readonly<Record<string, string>> = {}) {
  return await expectDocumented(await fetch(`${api.url}${path}`, { headers }), '/status');
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('a catalog of its own', () => {
  test.each(PAGES)('says nothing of a sample on $path', async ({ locale, path }) => {
    expect(await textAt(path)).not.toContain(NOTICE[locale]);
  });

  test('says nothing of it in the feed, the badge and the state', async () => {
    for (const locale of LOCALES) {
      const feed = await textAt(`/${locale}/status/incidents.atom`);
      expect(feed).toContain('<entry>');
      for (const text of [feed, await textAt(`/${locale}/status/badge.svg`)])
        expect(text).not.toContain(MARK[locale]);
    }
    expect(await statusAt('/api/status')).not.toHaveProperty('generated');
  });

  test('shows the flags of an entry that came from a sample', async () => {
    const page = await textAt('/en/entries/ai-news');
    for (const flag of ['Sample text', 'Sample numbers', 'Restricted']) expect(page).toContain(flag);
  });
});

describe('the sample', () => {
  beforeAll(async () => {
    // It has been looked for, and not been there.
    await textAt('/en/status');
    await sayServed(api.documents);
    // What was said of it is believed for half a second.
    api.clock.movedMs += 1000;
  });

  test.each(PAGES)('says once on $path what is generated', async ({ locale, path }) => {
    expect(occurrences(await textAt(path), NOTICE[locale])).toBe(1);
  });

  test('is told once on a page, not by marks on each row; warnings stay', async () => {
    for (const path of ['/en', '/en/search', '/en/entries/ai-news']) {
      const page = await textAt(path);
      expect(page, path).not.toMatch(/Sample (text|numbers)/);
    }
    expect(await textAt('/en/entries/ai-news')).toContain('Restricted');
  });

  test.each(LOCALES)(
    'is in the title of the feed, in each of its entries and on the badge, in %s',
    async (locale) => {
      const feed = await textAt(`/${locale}/status/incidents.atom`);
      const titles = [...feed.matchAll(/<title>(.*?)<\/title>/gs)].map(([, title]) => title);
      expect(titles.length).toBeGreaterThan(1);
      for (const title of titles) expect(title).toContain(MARK[locale]);
      expect(feed).toContain(NOTICE[locale]);
      const badge = await textAt(`/${locale}/status/badge.svg`);
      expect(occurrences(badge, MARK[locale])).toBe(3);
    },
  );

  test('is in the state, with a key and without one, as the description of the API says', async () => {
    expect(await statusAt('/api/status')).toMatchObject({ generated: true });
    expect(await statusAt('/api/v1/status', { 'x-api-key': api.key })).toMatchObject({ generated: true });
  });

  test('is in the flags of each entry, in lists and in listings', async () => {
    for (const path of ['/search?q=news', '/top']) {
      const { body } = await api.get(path);
      expect(body.items?.map(({ flags }) => flags)).toEqual([expect.arrayContaining([...FLAGS])]);
    }
    expect((await api.get('/listings/ai-news')).body['flags']).toEqual(expect.arrayContaining([...FLAGS]));
  });

  test('is called so while the stores are down, too', async () => {
    api.documents.fault = 'down';
    api.clock.movedMs += 5000;
    expect(await textAt('/en/status')).toContain(NOTICE.en);
    expect(await statusAt('/api/status')).toMatchObject({ generated: true });
  });
});
