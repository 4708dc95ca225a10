import { describe, expect, test } from 'vitest';

import { ERROR_CODES } from '../../src/api/problems.ts';
import type { RunningApi } from '../support/api.ts';
import { runCatalogPages, runPages } from '../support/pages.ts';
import { inBrowser } from './in-browser.ts';

/** What the developer pages do in a real browser. */

const WIDE = { width: 1280, height: 900 };

const stage = inBrowser(runCatalogPages, { viewport: WIDE });

const PHONE = { width: 360, height: 740 };
describe('the developer page', () => {
  test('every error leads to the paragraph about it, in its language', async () => {
    await using small = await runPages({ dailyLimit: 1 });
    const { key } = small;
    const asked: Readonly<Record<string, () => Promise<Response>>> = {
      bad_request: () => ask(stage.site, '/top?limit=0', stage.site.key),
      no_key: () => ask(stage.site, '/top', ''),
      bad_key: () => ask(stage.site, '/top', 'x'),
      not_found: () => ask(stage.site, '/listings/nobody', stage.site.key),
      rate_limited: async () => {
        await ask(small, '/status', key);
        return await ask(small, '/status', key);
      },
      internal: async () => {
        stage.site.documents.fault = 'down';
        const down = await ask(stage.site, '/top', stage.site.key);
        stage.site.documents.fault = 'none';
        return down;
      },
    };
    expect(Object.keys(asked)).toEqual([...ERROR_CODES]);
    const { page } = await stage.visit({ viewport: PHONE });
    for (const [code, send] of Object.entries(asked)) {
      const { error } = (await (await send()).json()) as { error: { code: string; docs: string } };
      expect(error.code).toBe(code);
      await page.goto(error.docs);
      const target = page.locator(':target');
      expect(await target.getAttribute('id')).toBe(code);
      expect(await target.innerText()).toMatch(/[А-я]{4}/);
      expect(await target.isVisible()).toBe(true);
    }
  });

  test('is whole without JavaScript, and shows no button that would do nothing', async () => {
    const { page, complaints } = await stage.visit({ javaScriptEnabled: false, viewport: PHONE });
    await page.goto('/docs/en');
    expect(await page.locator('main section').count()).toBe(3);
    expect(await page.locator('main .pages > li').count()).toBe(9);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a button copies the code beside it, as it stands there', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page } = await stage.visit({ permissions });
    await page.goto('/docs/en');
    const figure = page.locator('figure[data-language="python"]');
    await figure.locator('button').click();
    await expect.poll(() => figure.locator('button').innerText()).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await figure.locator('code').evaluate((code) => code.textContent),
    );
  });

  test('the schemes differ, and print shows the text alone', async () => {
    const { page } = await stage.visit();
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
    const { page } = await stage.visit();
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
