import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import { parkedEvent, runOperatorSite, SECRET, type OperatorSite } from '../support/operator-site.ts';
import { findings } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { differenceOf } from './difference.ts';
import { faintTexts, sidewaysScroll } from './looks.ts';
import { watch } from './watched.ts';

/** The operator page in a real browser, over a stand-in for the projector. Looks are kept in `screenshots/` and `baselines/`. */

let site: OperatorSite;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  site = await runOperatorSite();
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

const LOOKS = LOCALES.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 768, 1440].map((width) => ({ locale, colorScheme, width })),
  ),
);
const KEPT = new Set(['open-en-light-1440', 'open-ru-dark-360']);

describe.each(LOOKS)('$locale, $colorScheme, $width px wide', ({ locale, colorScheme, width }) => {
  test('every operator page can be read by everybody, fits, and loads nothing from elsewhere', async () => {
    const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
    await using own = await runOperatorSite();
    await using watched = await watch(browser, own.url, options);
    const { page, complaints } = watched;
    const look = async (name: string) => {
      const shown = `${name}-${locale}-${colorScheme}-${width}`;
      const path = join(import.meta.dirname, 'screenshots', `operator-${shown}.png`);
      await page.screenshot({ path, fullPage: true });
      if (KEPT.has(shown)) await compare(page, `operator-${shown}`);
      expect(await page.evaluate(sidewaysScroll), name).toBe(0);
      expect(await page.evaluate(faintTexts), name).toEqual([]);
      expect(await findings(page), name).toEqual([]);
    };
    await page.goto(`/${locale}`);
    await look('locked');
    await page.fill('#secret', SECRET);
    await page.click('form.lock button');
    await page.waitForSelector('form.act');
    await look('open');
    for (const kind of ['redrive', 'redrive_all', 'cut_over', 'rollback', 'cancel']) {
      await page.goto(`/${locale}`);
      await page.click(`a.act[href*="kind=${kind}&"]`);
      await look(`confirm-${kind}`);
    }
    await page.goto(`/${locale}/parked?id=${encodeURIComponent(parkedEvent().id)}`);
    await look('parked');
    await page.goto(`/${locale}?done=ended`);
    await look('done');
    await page.goto(`/${locale}/lanes`);
    await look('lanes');
    expect(complaints).toEqual([]);
  });
});

async function compare(page: Page, look: string): Promise<void> {
  const folder = join(import.meta.dirname, 'baselines');
  const file = join(folder, `${look}.jpeg`);
  const shot = await page.screenshot({ type: 'jpeg', quality: 45 });
  if (process.env['UPDATE_BASELINES'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, shot);
  }
  expect(existsSync(file), `${file}: UPDATE_BASELINES=1 writes it`).toBe(true);
  const difference = await differenceOf(browser, readFileSync(file), shot);
  expect(difference, `${look} looks otherwise: see screenshots/`).toBeLessThan(0.04);
}

test('the keyboard alone unlocks the page and redrives an event, under the policy of the page', async () => {
  await using watched = await watch(browser, site.url);
  const { page, complaints } = watched;
  await page.goto('/en');
  const tabTo = async (selector: string) => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    }
    throw new Error(`the keyboard does not come to ${selector}`);
  };
  await tabTo('#secret');
  await page.keyboard.type(SECRET);
  await page.keyboard.press('Enter');
  await page.waitForSelector('form.act');
  await tabTo('a[href*="kind=redrive&"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en/confirm?*');
  expect(await page.title()).toContain('Redrive this event?');
  await tabTo('form.actions button');
  // Whoever hears the button hears what it does as well.
  expect(await page.getAttribute('form.actions button', 'aria-describedby')).toBe('what undo');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en?done=ended');
  expect(site.acts).toEqual([{ kind: 'redrive', subject: parkedEvent().id }]);
  expect(complaints).toEqual([]);
});

test('without scripts it does the same, and looks again by itself', async () => {
  await using watched = await watch(browser, site.url, { javaScriptEnabled: false });
  const { page } = watched;
  await page.goto('/en');
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('60');
  await page.fill('#secret', SECRET);
  await page.click('form.lock button');
  await page.click('form:has(input[value="verify"]) button');
  expect(new URL(page.url()).search).toBe('?done=ended');
  expect(site.acts.at(-1)).toEqual({ kind: 'verify', subject: '' });
  await page.click('a[href*="kind=rollback"]');
  await page.click('form.actions button');
  expect(new URL(page.url()).search).toBe('?done=ended');
  expect(site.acts.at(-1)).toEqual({ kind: 'rollback', subject: 'listings' });
});

test('a page that is left open says that the process does not answer, and what a process in trouble says', async () => {
  await using own = await runOperatorSite();
  await using watched = await watch(browser, own.url);
  const { page } = watched;
  await page.goto('/en');
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.route('**/en', (route) => route.abort());
  await look();
  await page.getByText('The process does not answer').waitFor({ state: 'visible' });
  await page.unroute('**/en');
  const trouble = '<main data-refresh><p>The store is down</p></main>';
  await page.route('**/en', (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: trouble }),
  );
  await look();
  await page.getByText('The store is down').waitFor();
});
