import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import type { RunningApi } from '../support/api.ts';
import { launchChromium } from './chromium.ts';
import { walkThrough } from './keyboard.ts';
import { cutTables, cutTexts, sidewaysScroll } from './looks.ts';
import { isExpected, PUBLIC_PAGES } from './public-pages.ts';
import { runStage, standStill } from './stage.ts';
import { watch } from './watched.ts';
import { bytesFor, MOST_BYTES, MOST_BYTES_OF_REFERENCE } from './weight.ts';

/** What holds for every public page, whatever it looks like. */

let api: RunningApi;
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runStage();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await api?.[Symbol.asyncDispose]();
});

const CASES = LOCALES.flatMap((locale) =>
  Object.entries(PUBLIC_PAGES).map(([name, place]) => ({ locale, name, path: place(locale) })),
);

describe.each(CASES)('$name in $locale', ({ name, path }) => {
  test('takes few bytes, nothing from elsewhere, and has no complaint under its policy', async () => {
    standStill(api);
    await using watched = await watch(browser, api.url);
    const { page, complaints } = watched;
    const bytes = await bytesFor(page, () => page.goto(path));
    const most = name === 'docs-reference' ? MOST_BYTES_OF_REFERENCE : MOST_BYTES;
    process.stdout.write(`   ${path}: ${bytes} bytes\n`);
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThan(most);
    expect(complaints.filter((one) => !isExpected(one, name))).toEqual([]);
  });

  test('waits for its style sheets alone before its first picture', async () => {
    standStill(api);
    await using watched = await watch(browser, api.url);
    const { page } = watched;
    await page.goto(path);
    const blocking = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((one) => 'renderBlockingStatus' in one && one.renderBlockingStatus === 'blocking')
        .map((one) => one.name),
    );
    expect(blocking.length).toBeGreaterThan(0);
    expect(blocking.length).toBeLessThanOrEqual(3);
    expect(blocking.filter((one) => !one.endsWith('.css'))).toEqual([]);
  });

  test('is seen whole on a phone of 320 px, code and folded tables aside', async () => {
    standStill(api);
    await using watched = await watch(browser, api.url, { viewport: { width: 320, height: 640 } });
    const { page } = watched;
    await page.goto(path);
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(cutTexts)).toEqual([]);
    expect(await page.evaluate(cutTables)).toEqual([]);
  });

  test.each([360, 1440])('can be walked through by the keyboard, %i px wide', async (width) => {
    standStill(api);
    await using watched = await watch(browser, api.url, { viewport: { width, height: 900 } });
    const { page } = watched;
    await page.goto(path);
    await walkThrough(page);
  });
});
