import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

import { findings } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { comparedWith, MOST_DIFFERENCE } from './difference.ts';
import type { Look } from './every-look.ts';
import { cutTables, faintThings, sidewaysScroll } from './looks.ts';
import { picture } from './picture.ts';

/**
 * Holds pages to what every page promises to whoever sees it, and what they look like against a folder of `baselines/`,
 * which `UPDATE_BASELINES=1` writes. In `screenshots/` they are left in full size, to be looked at.
 */
interface Gallery {
  /** The page as it stands in the browser now, down to a height in pixels. */
  expectSeen(page: Page, name: string, look: Look, mostHeight?: number): Promise<void>;
  /** After all pages have been seen: no baseline is of a page that is gone. */
  expectNoOthers(): void;
}

/** What stands on a page, and so what axe-core finds, is one of two things: that of a phone, or that of a desk. */
const HAS_FINDINGS: ReadonlySet<number> = new Set([360, 1440]);

type Pages = 'public' | 'account' | 'operator';

/** A browser, and the gallery of what it shows. */
export async function openGallery(pages: Pages) {
  const browser = await launchChromium();
  const gallery = await galleryOf(browser, pages);
  return { browser, ...gallery, [Symbol.asyncDispose]: () => browser.close() };
}

async function galleryOf(browser: Browser, pages: Pages): Promise<Gallery> {
  const darkroom = await browser.newPage();
  const shots = join(import.meta.dirname, 'screenshots', pages);
  const baselines = join(import.meta.dirname, 'baselines', pages);
  for (const folder of [shots, baselines]) mkdirSync(folder, { recursive: true });
  const seen = new Set<string>();

  return {
    async expectSeen(page, name, { locale, colorScheme, width }, mostHeight) {
      const named = `${name}-${locale}-${colorScheme}-${width}`;
      const [large, small] = [`${shots}/${named}.png`, `${baselines}/${named}.webp`];
      seen.add(`${named}.webp`);
      const shot = await picture(page, mostHeight);
      writeFileSync(large, shot);
      if (process.env['UPDATE_BASELINES'] === '1') {
        writeFileSync(small, (await comparedWith(darkroom, shot, null)).kept);
        return;
      }
      expect(existsSync(small), `${small}: npm run baselines writes it`).toBe(true);
      const { difference } = await comparedWith(darkroom, shot, readFileSync(small));
      expect.soft(difference, `looks otherwise: ${large} beside ${small}`).toBeLessThan(MOST_DIFFERENCE);
      expect.soft(await page.getAttribute('html', 'lang'), named).toBe(locale);
      expect.soft(await page.evaluate(sidewaysScroll), named).toBe(0);
      expect.soft(await page.evaluate(cutTables), named).toEqual([]);
      expect.soft(await page.evaluate(faintThings), named).toEqual([]);
      if (HAS_FINDINGS.has(width)) expect.soft(await findings(page), named).toEqual([]);
    },
    expectNoOthers() {
      expect(readdirSync(baselines).filter((file) => !seen.has(file))).toEqual([]);
    },
  };
}
