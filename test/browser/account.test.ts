import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Locale, LOCALES } from '../../src/api/messages/texts.ts';
import type { RunningApi } from '../support/api.ts';
import { runPages } from '../support/pages.ts';
import { published } from '../support/events.ts';
import { findings } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { faintTexts, sidewaysScroll } from './looks.ts';
import { watch } from './watched.ts';

/** The pages of an account in a real browser. What they look like is kept in `screenshots/`, to be looked at. */

const DAY = 86_400_000;

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

let accounts = 0;

async function openLink(page: Page, locale: Locale): Promise<string> {
  accounts += 1;
  const account = `browser-${accounts}`;
  // So that attempts to sign in are those of single people.
  api.clock.movedMs += 60_000;
  const { token } = await api.accounts.invite(account, DAY);
  await page.goto(`/${locale}/account/sign-in?link=${token}`);
  return account;
}

/** An account with keys that have been used for some days. */
async function fill(account: string): Promise<void> {
  for (const label of ['website', 'a bot with a name that is rather long for a card of this width']) {
    const created = await api.keys.create(account, { label });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    for (let count = 0; count < 3; count += 1)
      await fetch(`${api.url}/api/v1/top?limit=${count + 1}`, { headers: { 'x-api-key': created.key } });
  }
  const keys = await api.keys.list(account);
  for (let day = 1; day < 25; day += 1) {
    const at = new Date(api.clock.now() - day * DAY).toISOString().slice(0, 10);
    for (const { id, place } of keys) {
      const asked = (day * 37 * place) % 400;
      await api.documents.write('quota', [
        {
          id: `${at}/${account}/${place}`,
          read: null,
          version: `${at}-${account}-${place}`,
          body: {
            place: `${account}/${place}`,
            day: at,
            shares: { w: asked },
            seen: { [id]: 700 },
            asked: { [id]: asked },
          },
        },
      ]);
    }
  }
  const [first] = keys;
  await api.keys.rotate(account, String(first?.id), { overlapMs: DAY });
}

const LOOKS = LOCALES.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 768, 1440].map((width) => ({ locale, colorScheme, width })),
  ),
);

describe.each(LOOKS)('$locale, $colorScheme, $width px wide', ({ locale, colorScheme, width }) => {
  test('every page of an account can be read by everybody, fits, and loads nothing from elsewhere', async () => {
    const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
    await using watched = await watch(browser, api.url, options);
    const { page, complaints } = watched;
    const look = async (name: string) => {
      const file = `account-${name}-${locale}-${colorScheme}-${width}.png`;
      await page.screenshot({ path: join(import.meta.dirname, 'screenshots', file), fullPage: true });
      expect(await page.evaluate(sidewaysScroll), name).toBe(0);
      expect(await page.evaluate(faintTexts), name).toEqual([]);
      expect(await findings(page), name).toEqual([]);
    };
    await page.goto(`/${locale}/account`);
    await look('sign-in');
    const account = await openLink(page, locale);
    await look('link');
    await page.click('main form button');
    await look('empty');
    await fill(account);
    await page.fill('#label', 'laptop');
    await page.click('form.create button');
    await page.waitForSelector('[data-key]');
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    await look('made');
    await page.goto(`/${locale}/account`);
    await look('full');
    expect(complaints).toEqual([]);
  });
});

describe('under the policy of the pages', () => {
  test('a key is made, copied and used, with no complaint in the console', async () => {
    await using watched = await watch(browser, api.url, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page, complaints } = watched;
    await openLink(page, 'en');
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
    const account = await openLink(page, 'ru');
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
    const account = await openLink(page, 'en');
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
    const account = await openLink(page, 'en');
    await page.click('.languages a[lang=ru]');
    await page.getByRole('button', { name: 'Войти' }).click();
    await page.click('.languages a[lang=en]');
    await page.getByText(`Account ${account}`).waitFor();
  });
});
