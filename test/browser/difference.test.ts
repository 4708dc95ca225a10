import { type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { launchChromium } from './chromium.ts';
import { comparedWith, MOST_DIFFERENCE } from './difference.ts';
import { picture } from './picture.ts';

/** What pictures of pages tell apart, and what they do not. */

let browser: Browser;
let page: Page;
let darkroom: Page;
/** As a baseline keeps it. */
let before: Buffer;

const PAGE = `<!doctype html><html lang="en"><style>
  body { margin: 2rem; font: 16px/1.6 var(--sans); color: #17211e }
  .quiet { color: #55625d; font-size: 14px }
  .button { display: inline-block; padding: 10px 18px; background: #0b6b5f; color: #fff }
</style><main>${Array.from({ length: 60 }, (_, index) => `<p>Paragraph ${index} of a long page.</p>`).join('')}
<p class="quiet">A quiet line that says how much of the window is known, and what has not been measured.</p><p><a class="button">Make a key</a></p></main></html>`;

beforeAll(async () => {
  browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true });
  page = await context.newPage();
  darkroom = await context.newPage();
  await page.setContent(PAGE);
  before = (await comparedWith(darkroom, await picture(page), null)).kept;
});
afterAll(() => browser?.close());

async function differenceAfter(styles: string): Promise<number> {
  await page.setContent(PAGE);
  await page.addStyleTag({ content: `:root {} ${styles}` });
  return (await comparedWith(darkroom, await picture(page), before)).difference ?? Number.NaN;
}

describe('two pictures of a page', () => {
  test('are the same where nothing has changed', async () => {
    expect(await differenceAfter('')).toBe(0);
  });

  test('are the same where letters are smoothed in another way', async () => {
    const smoothed = 'body { -webkit-font-smoothing: antialiased; text-rendering: geometricPrecision }';
    expect(await differenceAfter(smoothed)).toBeLessThan(MOST_DIFFERENCE);
  });

  test.each([
    ['a button that is gone, on a long page', '.button { visibility: hidden }'],
    ['a quiet line that is gone', '.quiet { visibility: hidden }'],
    ['a button of another colour', '.button { background: #b42a25 }'],
    ['space above everything', 'main { padding-top: 20px }'],
    ['a page that is longer by a section', 'main { padding-bottom: 120px }'],
    ['the other scheme', 'body { background: #101513; color: #e6ecea }'],
  ])('differ by %s', async (_what, styles) => {
    expect(await differenceAfter(styles)).toBeGreaterThan(MOST_DIFFERENCE);
  });
});
