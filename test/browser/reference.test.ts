import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/texts/texts.ts';
import { runCatalogPages } from '../support/pages.ts';
import { findings } from './axe.ts';
import { inBrowser } from './in-browser.ts';
import { EVERY_LOOK } from './every-look.ts';
import { cutTables, faintThings, sidewaysScroll } from './looks.ts';

/** The reference in a real browser: what it sends, what it keeps, and how it is reached without a mouse. */

const WIDE = { width: 1280, height: 900 };

const stage = inBrowser(runCatalogPages, { viewport: WIDE });

test.each(EVERY_LOOK)(
  'can be read and fits with everything opened, $locale, $colorScheme, $width px wide',
  async ({ locale, colorScheme, width }) => {
    const { page, complaints } = await stage.visit({ colorScheme, viewport: { width, height: 900 } });
    await page.goto(`/docs/${locale}/reference`, { waitUntil: 'networkidle' });
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(cutTables)).toEqual([]);
    expect(await page.evaluate(faintThings)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

test.each(LOCALES)('an operation takes at most 2,500 px at 1280 px, %s', async (locale) => {
  const { page } = await stage.visit();
  await page.goto(`/docs/${locale}/reference`, { waitUntil: 'networkidle' });
  const heights = await page.$$eval('.operation', (all) =>
    all.map((one) => one.getBoundingClientRect().height),
  );
  expect(heights).toHaveLength(5);
  expect(Math.max(...heights)).toBeLessThanOrEqual(2500);
});

describe('a request from the page', () => {
  test.each(LOCALES)('is 401 without a key and 200 with one, which is kept nowhere, %s', async (locale) => {
    const { page, complaints } = await stage.visit();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/docs/${locale}/reference`);
    expect(await send(page, 'listCategories')).toMatch(/^401 /);
    await page.fill('#key', stage.site.key);
    expect(await send(page, 'listCategories')).toMatch(/^200 /);
    const outcome = page.locator('#listCategories .outcome');
    expect(await outcome.locator('.outcome-body').innerText()).toContain('"trees"');
    expect(await outcome.locator('.outcome-headers').textContent()).toContain('x-ratelimit-cost: 1');
    expect(asked.at(-1)).toBe(`${stage.site.url}/api/v1/categories?locale=${locale}`);
    expect(asked.join(' ') + page.url()).not.toContain(stage.site.key);
    const kept = () => [localStorage.length, sessionStorage.length, document.cookie];
    expect(await page.evaluate(kept)).toEqual([0, 0, '']);
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);
    await page.reload();
    expect(await page.inputValue('#key')).toBe('');
    expect(await send(page, 'listCategories')).toMatch(/^401 /);
  });

  test('carries what was filled in, and a tag that still matches brings 304', async () => {
    const { page } = await stage.visit();
    await page.goto('/docs/en/reference');
    await page.fill('#key', stage.site.key);
    await page.selectOption('#getTop-kind', 'bot');
    await page.fill('#getTop-limit', '2');
    expect(await send(page, 'getTop')).toMatch(/^200 /);
    const body = JSON.parse(await page.locator('#getTop .outcome-body').innerText()) as { items: unknown[] };
    expect(body.items).toHaveLength(2);
    const headers = String(await page.locator('#getTop .outcome-headers').textContent());
    const [, tag = ''] = /^etag: (.*)$/m.exec(headers) ?? [];
    await page.locator('#getTop form details summary').click();
    await page.fill('#getTop-if-none-match', tag);
    expect(await send(page, 'getTop')).toMatch(/^304 /);
    await page.fill('#getTop-limit', '0');
    expect(await send(page, 'getTop')).toMatch(/^400 /);
  });

  test('says so where no answer arrives', async () => {
    const { page } = await stage.visit();
    await page.goto('/docs/ru/reference');
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.click('#getStatus .send button');
    await expect.poll(() => page.innerText('#getStatus .outcome-status')).toContain('Ответ не пришёл');
  });
});

describe('the samples', () => {
  test('follow the form, the key and the choice of a language', async () => {
    const { page } = await stage.visit();
    await page.goto('/docs/en/reference');
    const shown = () => page.locator('#getListing .samples figure:visible code').innerText();
    expect(await shown()).toContain('$CATALOG_KEY');
    await page.fill('#getListing-slug', "it's");
    await page.fill('#key', stage.site.key);
    expect(await shown()).toContain(`x-api-key: ${stage.site.key}"`);
    expect(await shown()).toContain('/listings/it%27s?locale=en');
    await page.locator('#searchListings .tabs input[value="python"]').check();
    expect(await shown()).toContain(`key = "${stage.site.key}"`);
    await page.click('#key-forget');
    expect(await shown()).toContain('os.environ["CATALOG_KEY"]');
  });

  test('take no text for a key that is none', async () => {
    const { page } = await stage.visit();
    await page.goto('/docs/en/reference');
    await page.fill('#key', '"; rm -rf ~; "');
    expect(await page.locator('main').innerText()).not.toContain('rm -rf');
    expect(await page.innerText('#key-state')).toContain('The key is not complete');
  });
});

test('links lead to an operation below the bar, those to the earlier reference too', async () => {
  const { page } = await stage.visit();
  const top = (id: string) =>
    page.evaluate((one) => {
      const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0;
      return (document.getElementById(one)?.getBoundingClientRect().top ?? -1) - bar;
    }, id);
  for (const hash of ['#getTop', '#/catalog/getTop', '#header-etag', '#status-429']) {
    await page.goto('about:blank');
    await page.goto(`/docs/en/reference${hash}`, { waitUntil: 'networkidle' });
    const id = hash.startsWith('#/') ? 'getTop' : hash.slice(1);
    expect(await top(id), hash).toBeGreaterThanOrEqual(0);
    expect(await top(id), hash).toBeLessThan(120);
  }
  await page.goto('about:blank');
  await page.goto('/docs/en/reference#//evil.example/x');
  expect(new URL(page.url()).origin).toBe(stage.site.url);
});

describe('with the keyboard alone', () => {
  test('a request is sent', async () => {
    const { page } = await stage.visit();
    await page.goto('/docs/en/reference');
    await page.focus('#key');
    await page.keyboard.insertText(stage.site.key);
    await page.focus('#searchListings-q');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.innerText('#searchListings .outcome-status')).toMatch(/^200 /);
  });

  test.each(['/docs/en', '/docs/en/reference'])(
    'the search opens, finds and leads on, from %s',
    async (path) => {
      const { page, complaints } = await stage.visit();
      await page.goto(path);
      await page.keyboard.press('/');
      await page.keyboard.type('categor', { delay: 10 });
      await expect.poll(() => page.locator('#found li').count()).toBeGreaterThan(1);
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await page.getAttribute('#find input', 'aria-activedescendant')).toBe('found-0');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toBe(`${stage.site.url}/docs/en/reference#listCategories`);
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Escape');
      expect(await page.locator('#find').isVisible()).toBe(false);
      expect(complaints).toEqual([]);
    },
  );
});

test('is whole without JavaScript: samples by their tabs, no field and no button that would do nothing', async () => {
  const { page, complaints } = await stage.visit({ javaScriptEnabled: false });
  await page.goto('/docs/en/reference');
  expect(await page.locator('button:visible, select:visible, input[type=text]:visible').count()).toBe(0);
  expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
  await page.locator('#getTop .tabs label').nth(1).click();
  expect(await page.locator('#getTop .samples figure:visible code').innerText()).toContain('await fetch');
  expect(complaints).toEqual([]);
});

/** Sends the request of the form, and returns what is said of the answer. */
async function send(page: Page, operation: string): Promise<string> {
  const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
  await page.click(`#${operation} .send button`);
  const status = String((await answered).status());
  const shown = page.locator(`#${operation} .outcome-status`);
  await expect.poll(() => shown.innerText()).toMatch(new RegExp(`^${status} `));
  return await shown.innerText();
}
