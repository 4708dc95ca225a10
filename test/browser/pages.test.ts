import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ERROR_CODES } from '../../src/api/problems.ts';
import type { RunningApi } from '../support/api.ts';
import { projectCatalog, runPages } from '../support/pages.ts';
import { launchChromium } from './chromium.ts';
import { watch } from './watched.ts';

/** What the developer pages do in a real browser. */

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
    expect(await page.locator('main section').count()).toBe(3);
    expect(await page.locator('main .pages > li').count()).toBe(9);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a button copies the code beside it, as it stands there', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await using watched = await watch(browser, api.url, { permissions, viewport: WIDE });
    const { page } = watched;
    await page.goto('/docs/en');
    const figure = page.locator('figure[data-language="python"]');
    await figure.locator('button').click();
    await expect.poll(() => figure.locator('button').innerText()).toBe('Copied');
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
