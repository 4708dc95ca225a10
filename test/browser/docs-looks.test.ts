import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import { GUIDE_PAGES } from '../../src/api/pages/docs/guide-pages.ts';
import type { RunningApi } from '../support/api.ts';
import { runPages } from '../support/pages.ts';
import { findings } from './axe.ts';
import { compare } from './baseline.ts';
import { launchChromium } from './chromium.ts';
import { cutTables, faintTexts, sidewaysScroll } from './looks.ts';
import { watch } from './watched.ts';

/** What the developer pages look like, in every language, scheme and width. */

let api: RunningApi;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runPages();
});
afterAll(async () => {
  await browser?.close();
  await api?.[Symbol.asyncDispose]();
});

const PLACES = {
  guide: (locale: string) => `/docs/${locale}#authentication`,
  limits: (locale: string) => `/docs/${locale}/limits`,
  reference: (locale: string) => `/docs/${locale}/reference#getListing`,
} as const;
const LOOKS = LOCALES.flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 768, 1440].map((width) => ({ locale, colorScheme, width })),
  ),
);

test.each(LOOKS)('$locale $colorScheme $width', async ({ locale, colorScheme, width }) => {
  await using watched = await watch(browser, api.url, { colorScheme, viewport: { width, height: 900 } });
  const { page, complaints } = watched;
  for (const [name, place] of Object.entries(PLACES)) {
    await page.goto(place(locale), { waitUntil: 'networkidle' });
    const look = `docs-${name}-${locale}-${colorScheme}-${width}`;
    await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${look}.png`) });
    await compare(browser, page, look);
  }
  expect(complaints).toEqual([]);
});

test.each(LOCALES)('each page of the guide fits a phone and can be read, in %s', async (locale) => {
  await using watched = await watch(browser, api.url, { viewport: { width: 360, height: 740 } });
  const { page, complaints } = watched;
  for (const name of ['', ...GUIDE_PAGES.map((one) => `/${one}`)]) {
    await page.goto(`/docs/${locale}${name}`);
    expect(await page.evaluate(sidewaysScroll), name).toBe(0);
    expect(await page.evaluate(cutTables), name).toEqual([]);
    expect(await page.evaluate(faintTexts), name).toEqual([]);
    expect(await findings(page), name).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
