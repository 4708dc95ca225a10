import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, onTestFinished } from 'vitest';

import { launchChromium } from './chromium.ts';
import { watch, type Watched } from './watched.ts';

/** A site and a browser, which all tests of a file share. */
export interface InBrowser<Site> {
  readonly site: Site;
  readonly browser: Browser;
  /** Opens a page of the site, or of another one, in a profile of its own, until the test ends. */
  visit(options?: BrowserContextOptions, url?: string): Promise<Watched>;
}

/** Opened before the tests of a file and closed after them. `usual` is what a visit is like unless it says otherwise. */
export function inBrowser<Site extends AsyncDisposable & { readonly url: string }>(
  open: () => Promise<Site>,
  usual: BrowserContextOptions = {},
): InBrowser<Site> {
  const opened: { site?: Site; browser?: Browser } = {};
  const there = <T>(one: T | undefined): T => {
    if (one === undefined) throw new Error('The browser and the site are opened when tests begin');
    return one;
  };
  beforeAll(async () => {
    opened.browser = await launchChromium();
    opened.site = await open();
    return async () => {
      await opened.browser?.close();
      await opened.site?.[Symbol.asyncDispose]();
    };
  }, 300_000);
  return {
    get site() {
      return there(opened.site);
    },
    get browser() {
      return there(opened.browser);
    },
    async visit(options = {}, url = there(opened.site).url) {
      const watched = await watch(there(opened.browser), url, { ...usual, ...options });
      onTestFinished(() => watched[Symbol.asyncDispose]());
      return watched;
    },
  };
}
