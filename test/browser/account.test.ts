import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import type { RunningApi } from '../support/api.ts';
import { runPages } from '../support/pages.ts';
import { published } from '../support/events.ts';
import { fill, openLink } from './account-stage.ts';
import { launchChromium } from './chromium.ts';
import { walkThrough } from './keyboard.ts';
import { watch } from './watched.ts';
import { bytesFor, MOST_BYTES } from './weight.ts';

/** What is done on the pages of an account in a real browser. */

let api: RunningApi;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runPages();
  await api.project(published());
});
afterAll(async () => {
  await browser?.close();
  await api?.[Symbol.asyncDispose]();
});

test.each(LOCALES)(
  'the pages take few bytes, and can be walked through by the keyboard, %s',
  async (locale) => {
    await using watched = await watch(browser, api.url);
    const { page, complaints } = watched;
    const look = async (name: string, work: () => Promise<unknown>) => {
      const bytes = await bytesFor(page, work);
      process.stdout.write(`   account, ${name}, ${locale}: ${bytes} bytes\n`);
      expect(bytes, name).toBeGreaterThan(5000);
      expect(bytes, name).toBeLessThan(MOST_BYTES);
      await walkThrough(page);
    };
    await look('sign in', () => page.goto(`/${locale}/account`));
    let account = '';
    await look('link', async () => {
      ({ account } = await openLink(api, page, locale));
    });
    await look('empty', () => page.click('main form button'));
    await fill(api, account);
    await look('made', () => page.click('form.create button'));
    await look('full', () => page.goto(`/${locale}/account`));
    expect(complaints).toEqual([]);
  },
);

describe('under the policy of the pages', () => {
  test('a key is made, copied and used, with no complaint in the console', async () => {
    await using watched = await watch(browser, api.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, complaints } = watched;
    await openLink(api, page, 'en');
    await page.click('main form button');
    await page.fill('#label', 'copied');
    await page.click('form.create button');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    const answer = await fetch(`${api.url}/api/v1/top`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('works with the keyboard alone, and without scripts', async () => {
    await using watched = await watch(browser, api.url, { javaScriptEnabled: false });
    const { page } = watched;
    const { account } = await openLink(api, page, 'ru');
    await page.locator('main form button').press('Enter');
    await page.locator('#label').press('Enter');
    await page.locator('[data-key]').waitFor();
    await page.goto('/ru/account');
    await page.getByText('Отозвать', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Отозвать ключ' }).press('Enter');
    await page.getByText('Ключ отозван.').waitFor();
    expect(await api.keys.list(account)).toMatchObject([
      { label: null, revoked_at: expect.any(String) as string },
    ]);
  });

  test('a reload of the page that shows a key makes no other', async () => {
    await using watched = await watch(browser, api.url);
    const { page } = watched;
    const { account } = await openLink(api, page, 'en');
    await page.click('main form button');
    await page.click('form.create button');
    await page.waitForSelector('[data-key]');
    await page.reload();
    await page.getByText('has been sent already').waitFor();
    expect(await api.keys.list(account)).toHaveLength(1);
  });

  test('the language can be changed before the link is used, and after', async () => {
    await using watched = await watch(browser, api.url);
    const { page } = watched;
    const { account } = await openLink(api, page, 'en');
    await page.click('.languages a[lang=ru]');
    await page.getByRole('button', { name: 'Войти' }).click();
    await page.click('.languages a[lang=en]');
    await page.getByText(`Account ${account}`).waitFor();
  });
});
