import type { Page } from 'playwright-core';

import { setInTestFonts } from './test-fonts.ts';

/** In pixels. What is longer, on a phone, goes on as above: a list, the guide and the reference. */
const MOST_HEIGHT = 8500;

/** The page in the fonts of the tests, with what is another at every visit written as the same. */
export async function picture(page: Page, mostHeight = MOST_HEIGHT): Promise<Buffer> {
  await setInTestFonts(page);
  await page.evaluate(withoutChance);
  const { width, height } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: document.documentElement.scrollHeight,
  }));
  const clip = { x: 0, y: 0, width, height: Math.min(height, mostHeight) };
  return await page.screenshot({ fullPage: true, clip, animations: 'disabled', caret: 'hide' });
}

/** Keys, their ids and the names of sessions are random, ports are whatever is free, and accounts are numbered as they come. */
function withoutChance(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent ?? '';
    const same = text
      .replaceAll(/\b(cat_live_)\w{36}\b/g, `$1${'x'.repeat(36)}`)
      .replaceAll(/\bk_[0-9A-Za-z]{8,32}\b/g, (id) => `k_${'x'.repeat(id.length - 2)}`)
      .replaceAll(/\bstudio-\d+\b/g, 'studio-10')
      .replaceAll(/\b127\.0\.0\.1:\d+\b/g, '127.0.0.1:8080');
    if (same !== text) node.textContent = same;
  }
  for (const session of document.querySelectorAll('[aria-labelledby="audit"] td:last-child > div')) {
    const text = session.textContent;
    session.textContent = text.replace(/^(?=[\w-]*[\d_A-Z-])[\w-]{8}/, 'xxxxxxxx');
  }
}
