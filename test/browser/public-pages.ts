import type { Page } from 'playwright-core';

import type { Locale } from '../../src/texts/texts.ts';
import { GUIDE_PAGES } from '../../src/api/pages/docs/guide-sections.ts';
import { ENTRIES } from './stage.ts';

/** Every public page, by what it is called in the names of its baselines. */

export type Place = (locale: Locale) => string;

export const CATALOG_PAGES: Readonly<Record<string, Place>> = {
  home: (locale) => `/${locale}`,
  search: (locale) => `/${locale}/search?q=java`,
  'search-empty': (locale) => `/${locale}/search?q=zzzzqqqq`,
  browse: (locale) => `/${locale}/search`,
  categories: (locale) => `/${locale}/categories`,
  category: (locale) => `/${locale}/categories/programming`,
  'entry-channel': (locale) => `/${locale}/entries/${ENTRIES.channel}`,
  'entry-chat': (locale) => `/${locale}/entries/${ENTRIES.chat}`,
  'entry-bot': (locale) => `/${locale}/entries/${ENTRIES.bot}`,
  'entry-miniapp': (locale) => `/${locale}/entries/${ENTRIES.miniapp}`,
  'entry-new': (locale) => `/${locale}/entries/${ENTRIES.new}`,
  status: (locale) => `/${locale}/status`,
  missing: (locale) => `/${locale}/entries/nobody`,
};

export const DOCS_PAGES: Readonly<Record<string, Place>> = {
  'docs-guide': (locale) => `/docs/${locale}`,
  ...Object.fromEntries(
    GUIDE_PAGES.map((name) => [`docs-${name}`, (locale: Locale) => `/docs/${locale}/${name}`]),
  ),
  'docs-reference': (locale) => `/docs/${locale}/reference`,
};

export const PUBLIC_PAGES: Readonly<Record<string, Place>> = { ...CATALOG_PAGES, ...DOCS_PAGES };

/** What opens above a page, by the keyboard. */
export const OPENED: Readonly<Record<string, { readonly place: Place; open(page: Page): Promise<void> }>> = {
  'home-suggestions': {
    place: (locale) => `/${locale}`,
    async open(page) {
      await page.keyboard.press('/');
      await page.keyboard.type('java');
      await page.locator('[data-panel] .entry').first().waitFor();
    },
  },
  'docs-found': {
    place: (locale) => `/docs/${locale}`,
    async open(page) {
      await page.keyboard.press('/');
      await page.keyboard.type('search');
      await page.locator('#found li').first().waitFor();
    },
  },
};

/** What is said to whoever asks for a page. */
export function statusOf(name: string): number {
  return name === 'missing' ? 404 : 200;
}

/** A page that is not there is a complaint in the console of every browser. */
export function isExpected(complaint: string, name: string): boolean {
  return name === 'missing' && complaint.includes('status of 404');
}
