import { describe, expect, test } from 'vitest';

import { categoryDefined, measured, published, targetDefined } from '../support/events.ts';
import { runPages } from '../support/pages.ts';
import { inBrowser } from './in-browser.ts';
import { cutTexts, sidewaysScroll } from './looks.ts';
import { MOMENT } from './stage.ts';
import { words } from '../support/words.ts';

/** Pages of what upstream may publish, and people do not foresee: words without an end, other scripts, signs that are no letters. */

const ENDLESS = 'Щ'.repeat(100);
const RIGHT_TO_LEFT = 'خبرهای هوش مصنوعی \u202e(123) abc';
const SIGNS = '👩‍👩‍👧‍👦🏳️‍🌈🔥';
const PATHS = [
  '',
  ...words(`/search /search?q=news /search?q=${'w'.repeat(100)} /categories /categories/endless`),
  ...words(`/entries/endless /entries/turned /entries/signs /status`),
];

const stage = inBrowser(async () => {
  const api = await runPages({ at: MOMENT });
  const both = (text: string) => ({ en: text, ru: text });
  const endless = {
    subject: 'endless',
    username: 'w'.repeat(32),
    title: both(`${ENDLESS}${ENDLESS}`),
    summary: both('news'.repeat(100)),
    description: both(ENDLESS.repeat(20)),
    category: 'endless',
    tags: ['t'.repeat(50), 'news'],
    flags: ['a'.repeat(30), 'scam'],
    links: [{ rel: 'l'.repeat(50), url: 'https://walks.example/' }],
    open_url: 'https://t.me/walks',
    verified: true,
  };
  await api.project(
    categoryDefined({ subject: 'endless', title: both(ENDLESS) }),
    categoryDefined({ subject: 'below', parent: 'endless', title: both(ENDLESS) }),
    published(endless),
    published({ ...endless, subject: 'below', kind: 'bot', category: 'below' }),
    measured({ subject: 'endless' }),
    published({
      subject: 'turned',
      title: both(RIGHT_TO_LEFT),
      summary: both(`${RIGHT_TO_LEFT} news`),
      description: both(RIGHT_TO_LEFT),
      tags: [RIGHT_TO_LEFT],
      flags: ['scam'],
    }),
    published({ subject: 'signs', kind: 'miniapp', title: both(SIGNS.repeat(12)), summary: both('news') }),
    targetDefined({ name: both(ENDLESS) }),
  );
  return api;
});

/** A narrow phone, which is also a window of 1280 px at 400 %; and letters of twice the size on a tablet. */
const READERS = [
  { name: '320 px wide', width: 320, letters: '100%' },
  { name: 'with letters of twice the size, 768 px wide', width: 768, letters: '200%' },
] as const;

describe.each(READERS)('$name', ({ width, letters }) => {
  test.each(PATHS)('nothing of /ru%s is cut off or stands beside the page', async (path) => {
    const { page } = await stage.visit({ viewport: { width, height: 800 } });
    await page.goto(`/ru${path}`);
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, letters);
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(cutTexts)).toEqual([]);
  });
});

test('letters that run to the left turn nothing that stands beside them', async () => {
  const { page } = await stage.visit({ viewport: { width: 1280, height: 900 } });
  for (const [path, place] of [
    ['/en/search', '.entry-title:has(a[href$="/turned"])'],
    ['/en/entries/turned', 'h1'],
  ] as const) {
    await page.goto(path);
    const title = page.locator(`${place} [dir=auto]`);
    const flag = page.locator(`${place} .flag`);
    expect(await title.evaluate((one) => getComputedStyle(one).unicodeBidi)).toBe('isolate');
    // The warning stands behind the last line of it, as everywhere.
    const ends = await title.evaluate((one) => {
      const lines = [...one.getClientRects()];
      const last = Math.max(...lines.map(({ bottom }) => bottom));
      return Math.max(...lines.filter(({ bottom }) => bottom === last).map(({ right }) => right));
    });
    expect((await flag.boundingBox())?.x).toBeGreaterThan(ends - 1);
  }
});

test('the picture of a title without letters is its first sign, whole', async () => {
  const { page } = await stage.visit();
  await page.goto('/en/entries/signs');
  expect(await page.locator('.entry-head .avatar text').textContent()).toBe('👩‍👩‍👧‍👦');
});
