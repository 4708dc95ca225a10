import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import { ERROR_CODES } from '../../src/api/problems.ts';
import type { RunningApi } from '../support/api.ts';
import { projectCatalog, runPages } from '../support/pages.ts';
import { launchChromium } from './chromium.ts';
import { cutTables, faintTexts, sidewaysScroll, strangeFonts } from './looks.ts';
import { watch } from './watched.ts';

/** The developer pages in a real browser. What they look like is kept in `screenshots/`, to be looked at. */

let api: RunningApi;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runPages();
  await projectCatalog(api);
});
afterAll(async () => {
  await browser?.close();
  await api?.[Symbol.asyncDispose]();
});

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const SCHEMES = ['light', 'dark'] as const;
/** Swagger UI takes its time on a small machine. */
const SHOWN = { timeout: 20_000 };
const EVERY_LOOK = LOCALES.flatMap((locale) =>
  SCHEMES.flatMap((colorScheme) => [
    { locale, colorScheme, viewport: WIDE, size: 'wide' },
    { locale, colorScheme, viewport: PHONE, size: 'phone' },
  ]),
);

async function keep(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`), fullPage: true });
}

describe.each(EVERY_LOOK)('the developer page, $locale $colorScheme $size', (look) => {
  const { locale, colorScheme, viewport, size } = look;

  test('loads without a complaint, fits its width, and can be read', async () => {
    await using watched = await watch(browser, api.url, { colorScheme, viewport });
    const { page, complaints } = watched;
    await page.goto(`/docs/${locale}`, { waitUntil: 'networkidle' });
    expect(await page.getAttribute('html', 'lang')).toBe(locale);
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(cutTables)).toEqual([]);
    expect(await page.evaluate(faintTexts)).toEqual([]);
    await keep(page, `guide-${locale}-${colorScheme}-${size}`);
    expect(complaints).toEqual([]);
  });
});

// Each language, each scheme and each size, in two looks.
const REFERENCE_LOOKS = EVERY_LOOK.filter(
  ({ locale, colorScheme, size }) =>
    (locale === 'ru') === (size === 'phone') && (locale === 'ru') === (colorScheme === 'dark'),
);

describe.each(REFERENCE_LOOKS)('the reference, $locale $colorScheme $size', (look) => {
  const { locale, colorScheme, viewport, size } = look;

  test('answers 401 without a key and 200 with one, which it keeps nowhere', async () => {
    await using watched = await watch(browser, api.url, { colorScheme, viewport });
    const { page, complaints } = watched;
    await openReference(page, locale);
    expect(await tryCategories(page)).toBe('401');
    await authorize(page, api.key);
    expect(await tryCategories(page)).toBe('200');
    expect(await page.locator('.live-responses-table').innerText()).toContain('"trees"');
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(faintTexts)).toEqual([]);
    expect(await page.evaluate(strangeFonts)).toEqual([]);
    await keep(page, `reference-${locale}-${colorScheme}-${size}`);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
    // The browser itself says that the first answer was a 401.
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([]);

    await openReference(page, locale);
    expect(await tryCategories(page)).toBe('401');
  });
});

describe('the reference', () => {
  test.each(SCHEMES)(
    'opens at the operation that the guide links to, with the schemas of the answers, %s',
    async (colorScheme) => {
      await using watched = await watch(browser, api.url, { colorScheme, viewport: WIDE });
      const { page, complaints } = watched;
      await page.goto('/docs/en');
      await page.click('a[href="en/reference#/catalog/getListing"]');
      await page.locator('#operations-catalog-getListing.is-open').waitFor();
      await page.locator('#operations-catalog-getListing .model-example .tablinks').nth(1).click();
      await page.locator('.models-control, .json-schema-2020-12__title').first().waitFor();
      await page.locator('section.models button').first().click();
      expect(await page.evaluate(faintTexts)).toEqual([]);
      await keep(page, `schemas-en-${colorScheme}-wide`);
      expect(complaints).toEqual([]);
    },
  );

  test('says so where the description cannot be loaded', async () => {
    await using watched = await watch(browser, api.url, { viewport: WIDE });
    await watched.page.route('**/openapi.json*', (route) => route.fulfill({ status: 503 }));
    await watched.page.goto('/docs/ru/reference');
    await expect.poll(() => watched.page.innerText('#reference'), SHOWN).toContain('Обновите страницу');
  });

  test('can be filled in with the keyboard alone', async () => {
    await using watched = await watch(browser, api.url, { viewport: WIDE });
    const { page } = watched;
    await openReference(page, 'en');
    await page.locator('.btn.authorize').focus();
    await page.keyboard.press('Enter');
    await page.locator('.modal-ux input').waitFor();
    await page.locator('.modal-ux input').focus();
    await page.keyboard.insertText(api.key);
    await page.keyboard.press('Enter');
    await page.locator('.modal-ux .btn-done').focus();
    await page.keyboard.press('Enter');
    expect(await tryCategories(page)).toBe('200');
  });
});

describe('the developer page', () => {
  test('every error leads to the paragraph about it, in its language', async () => {
    await using small = await runPages({ dailyLimit: 1 });
    const { key } = small;
    const asked: Readonly<Record<string, () => Promise<Response>>> = {
      bad_request: () => ask(api, '/top?limit=0', api.key),
      no_key: () => ask(api, '/top', ''),
      bad_key: () => ask(api, '/top', 'x'),
      not_found: () => ask(api, '/listings/nobody', api.key),
      rate_limited: async () => {
        await ask(small, '/status', key);
        return await ask(small, '/status', key);
      },
      internal: async () => {
        api.documents.fault = 'down';
        const down = await ask(api, '/top', api.key);
        api.documents.fault = 'none';
        return down;
      },
    };
    expect(Object.keys(asked)).toEqual([...ERROR_CODES]);
    await using watched = await watch(browser, api.url, { viewport: PHONE });
    for (const [code, send] of Object.entries(asked)) {
      const { error } = (await (await send()).json()) as { error: { code: string; docs: string } };
      expect(error.code).toBe(code);
      await watched.page.goto(error.docs);
      const target = watched.page.locator(':target');
      expect(await target.getAttribute('id')).toBe(code);
      expect(await target.innerText()).toMatch(/[А-я]{4}/);
      expect(await target.isVisible()).toBe(true);
    }
  });

  test('is whole without JavaScript, and shows no button that would do nothing', async () => {
    await using watched = await watch(browser, api.url, { javaScriptEnabled: false, viewport: PHONE });
    const { page, complaints } = watched;
    await page.goto('/docs/en');
    expect(await page.locator('main section').count()).toBe(10);
    expect(await page.locator('button').count()).toBe(0);
    await page.goto('/docs/en/reference');
    expect(await page.locator('noscript').innerText()).toContain('needs JavaScript');
    expect(complaints).toEqual([]);
  });

  test('a button copies the code beside it, as it stands there', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await using watched = await watch(browser, api.url, { permissions, viewport: WIDE });
    const { page } = watched;
    await page.goto('/docs/en');
    const figure = page.locator('figure[data-language="python"]');
    await figure.locator('button').click();
    await expect.poll(() => figure.locator('button').innerText(), SHOWN).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await figure.locator('code').evaluate((code) => code.textContent),
    );
  });

  test('the schemes differ, and print shows the text alone', async () => {
    await using watched = await watch(browser, api.url, { viewport: WIDE });
    const { page } = watched;
    await page.goto('/docs/en');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.locator('.bar').isVisible()).toBe(false);
    expect(await page.locator('main').isVisible()).toBe(true);
  });

  test('the keyboard reaches the content first, and sees where it is', async () => {
    await using watched = await watch(browser, api.url, { viewport: WIDE });
    const { page } = watched;
    await page.goto('/docs/en');
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('href')).toBe('#content');
    expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
  });
});

async function ask({ url }: RunningApi, path: string, key: string): Promise<Response> {
  return await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': key } });
}

async function openReference(page: Page, locale: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`/docs/${locale}/reference`);
  await page.locator('#operations-catalog-listCategories').waitFor();
}

async function authorize(page: Page, key: string): Promise<void> {
  await page.click('.auth-wrapper > .btn.authorize');
  await page.fill('.modal-ux input', key);
  await page.click('.modal-ux .btn.authorize');
  await page.click('.modal-ux .btn-done');
}

/** Sends the request of the form, and returns the status that is shown. */
async function tryCategories(page: Page): Promise<string> {
  const operation = page.locator('#operations-catalog-listCategories');
  if (!(await operation.locator('.execute-wrapper, .btn-group').first().isVisible())) {
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
  }
  const answered = page.waitForResponse((response) => response.url().includes('/categories'));
  await operation.locator('.btn.execute').click();
  const status = String((await answered).status());
  const shown = operation.locator('.live-responses-table tbody .response-col_status');
  await expect.poll(async () => (await shown.innerText()).trim(), SHOWN).toMatch(new RegExp(`^${status}`));
  return status;
}
