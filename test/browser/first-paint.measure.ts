import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import type { RunningApi } from '../support/api.ts';
import { parkedEvent } from '../support/operator-overview.ts';
import { runOperatorSite, SECRET, type OperatorSite } from '../support/operator-site.ts';
import { fill, openLink } from './account-stage.ts';
import { launchChromium } from './chromium.ts';
import { PUBLIC_PAGES } from './public-pages.ts';
import { runStage, standStill } from './stage.ts';

/**
 * How much later than an empty page each page paints something for the first time, on a processor that is four times slower, with
 * nothing in the browser's cache: medians of loads that take turns in one tab. A measure: it belongs on a quiet machine.
 */

const LOADS = 9;
const SLOWER = 4;
const MOST_LATER_MS = 150;
const EMPTY = '<!doctype html><html lang="en"><title>Empty</title><p>.</p></html>';
/** The policy of our pages: with another one the browser would change processes between the two, and that would be measured. */
const HEADERS = [
  { name: 'content-type', value: 'text/html; charset=utf-8' },
  { name: 'cross-origin-opener-policy', value: 'same-origin' },
];

let browser: Browser;
let api: RunningApi;
let site: OperatorSite;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runStage();
  site = await runOperatorSite();
});
afterAll(async () => {
  await browser?.close();
  for (const opened of [site, api]) await opened?.[Symbol.asyncDispose]();
});

test('every page paints within 150 ms of an empty one', async () => {
  const later: Record<string, number> = {};
  for (const locale of LOCALES) {
    const open = await browser.newContext();
    for (const [name, place] of Object.entries(PUBLIC_PAGES))
      later[`${name} ${locale}`] = await laterThanEmpty(open, `${api.url}${place(locale)}`);
    await open.close();
    Object.assign(later, await accountPages(locale), await operatorPages(locale));
  }
  expect(Object.entries(later).filter(([, ms]) => ms > MOST_LATER_MS)).toEqual([]);
});

async function accountPages(locale: (typeof LOCALES)[number]): Promise<Record<string, number>> {
  const context = await browser.newContext({ baseURL: api.url });
  const page = await context.newPage();
  const signedOut = await laterThanEmpty(context, `${api.url}/${locale}/account`);
  const { account, link } = await openLink(api, page, locale);
  const atLink = await laterThanEmpty(context, `${api.url}${link}`);
  await page.click('main form button');
  await page.waitForURL(`**/${locale}/account*`);
  await fill(api, account);
  const signedIn = await laterThanEmpty(context, `${api.url}/${locale}/account`);
  await context.close();
  return {
    [`account-sign-in ${locale}`]: signedOut,
    [`account-link ${locale}`]: atLink,
    [`account-full ${locale}`]: signedIn,
  };
}

async function operatorPages(locale: (typeof LOCALES)[number]): Promise<Record<string, number>> {
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const locked = await laterThanEmpty(context, `${site.url}/${locale}`);
  await page.goto(`/${locale}`);
  await page.fill('#secret', SECRET);
  await page.click('form.lock button');
  await page.waitForSelector('form.act');
  const open = await laterThanEmpty(context, `${site.url}/${locale}`);
  const confirmation = await page.locator('a.act').first().getAttribute('href');
  const confirm = await laterThanEmpty(context, new URL(confirmation ?? '', page.url()).href);
  const lanes = await laterThanEmpty(context, `${site.url}/${locale}/lanes`);
  const parked = `${site.url}/${locale}/parked?id=${encodeURIComponent(parkedEvent().id)}`;
  const event = await laterThanEmpty(context, parked);
  await context.close();
  return {
    [`operator-locked ${locale}`]: locked,
    [`operator-open ${locale}`]: open,
    [`operator-confirm ${locale}`]: confirm,
    [`operator-lanes ${locale}`]: lanes,
    [`operator-parked ${locale}`]: event,
  };
}

/** In milliseconds. */
async function laterThanEmpty(context: BrowserContext, url: string): Promise<number> {
  standStill(api);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const empty = new URL('/nothing', url).href;
  await session.send('Fetch.enable', { patterns: [{ urlPattern: empty }] });
  session.on('Fetch.requestPaused', ({ requestId }) => {
    const body = Buffer.from(EMPTY).toString('base64');
    void session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: HEADERS,
      body,
    });
  });
  const times: { readonly empty: number; readonly page: number }[] = [];
  for (let load = 0; load < LOADS; load += 1)
    times.push({ empty: await firstPaint(page, empty), page: await firstPaint(page, url) });
  await page.close();
  const [nothing, something] = [median(times.map((one) => one.empty)), median(times.map((one) => one.page))];
  const ms = Math.round(something - nothing);
  process.stdout.write(`${String(ms).padStart(8)} ms after ${Math.round(nothing)} ms  ${url}\n`);
  return ms;
}

async function firstPaint(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const first = list.getEntriesByName('first-paint')[0];
          if (first) resolve(first.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
