import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/texts/texts.ts';
import { runPages } from '../support/pages.ts';
import { published } from '../support/events.ts';
import { fill, openLink } from './account-stage.ts';
import { inBrowser } from './in-browser.ts';
import { walkThrough } from './keyboard.ts';
import { bytesFor, MOST_BYTES } from './weight.ts';

/** What is done on the pages of an account in a real browser. */

const stage = inBrowser(() => runPages({}, published()));

test.each(LOCALES)(
  'the pages take few bytes, and can be walked through by the keyboard, %s',
  async (locale) => {
    const { page, complaints } = await stage.visit();
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
      ({ account } = await openLink(stage.site, page, locale));
    });
    await look('empty', () => page.click('main form button'));
    await fill(stage.site, account);
    await look('made', () => page.click('form.create button'));
    await look('full', () => page.goto(`/${locale}/account`));
    expect(complaints).toEqual([]);
  },
);

describe('under the policy of the pages', () => {
  test('a key is made, copied and used, with no complaint in the console', async () => {
    const { page, complaints } = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await openLink(stage.site, page, 'en');
    await page.click('main form button');
    await page.fill('#label', 'copied');
    await page.click('form.create button');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    const answer = await fetch(`${stage.site.url}/api/v1/top`, { headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('works with the keyboard alone, and without scripts', async () => {
    const { page } = await stage.visit({ javaScriptEnabled: false });
    const { account } = await openLink(stage.site, page, 'ru');
    await page.locator('main form button').press('Enter');
    await page.locator('#label').press('Enter');
    await page.locator('[data-key]').waitFor();
    await page.goto('/ru/account');
    await page.getByText('Отозвать', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Отозвать ключ' }).press('Enter');
    await page.getByText('Ключ отозван.').waitFor();
    expect(await stage.site.keys.list(account)).toMatchObject([
      { label: null, revoked_at: expect.any(String) as string },
    ]);
  });

  test('a reload of the page that shows a key makes no other', async () => {
    const { page } = await stage.visit();
    const { account } = await openLink(stage.site, page, 'en');
    await page.click('main form button');
    await page.click('form.create button');
    await page.waitForSelector('[data-key]');
    await page.reload();
    await page.getByText('has been sent already').waitFor();
    expect(await stage.site.keys.list(account)).toHaveLength(1);
  });

  test('the language can be changed before the link is used, and after', async () => {
    const { page } = await stage.visit();
    const { account } = await openLink(stage.site, page, 'en');
    await page.click('.languages a[lang=ru]');
    await page.getByRole('button', { name: 'Войти' }).click();
    await page.click('.languages a[lang=en]');
    await page.getByText(`Account ${account}`).waitFor();
  });
});
