import { describe, expect, test } from 'vitest';

import { LOCALES } from '../../src/texts/texts.ts';
import { inBrowser } from './in-browser.ts';
import { walkThrough } from './keyboard.ts';
import { cutTables, cutTexts, sidewaysScroll } from './looks.ts';
import { isExpected, PUBLIC_PAGES } from './public-pages.ts';
import { runStage, standStill } from './stage.ts';
import { bytesFor, MOST_BYTES, MOST_BYTES_OF_REFERENCE } from './weight.ts';

/** What holds for every public page, whatever it looks like. */

const stage = inBrowser(runStage);

const CASES = LOCALES.flatMap((locale) =>
  Object.entries(PUBLIC_PAGES).map(([name, place]) => ({ locale, name, path: place(locale) })),
);

describe.each(CASES)('$name in $locale', ({ name, path }) => {
  test('takes few bytes, nothing from elsewhere, waits for style sheets alone, and has no complaint under its policy', async () => {
    standStill(stage.site);
    const { page, complaints } = await stage.visit();
    const bytes = await bytesFor(page, () => page.goto(path));
    const most = name === 'docs-reference' ? MOST_BYTES_OF_REFERENCE : MOST_BYTES;
    process.stdout.write(`   ${path}: ${bytes} bytes\n`);
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThan(most);
    expect(complaints.filter((one) => !isExpected(one, name))).toEqual([]);
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
    standStill(stage.site);
    const { page } = await stage.visit({ viewport: { width: 320, height: 640 } });
    await page.goto(path);
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(cutTexts)).toEqual([]);
    expect(await page.evaluate(cutTables)).toEqual([]);
  });

  test.each([360, 1440])('can be walked through by the keyboard, %i px wide', async (width) => {
    standStill(stage.site);
    const { page } = await stage.visit({ viewport: { width, height: 900 } });
    await page.goto(path);
    await walkThrough(page);
  });
});
