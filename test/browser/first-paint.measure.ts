import { createServer } from 'node:http';

import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { LOCALES } from '../../src/api/messages/texts.ts';
import { listenOn, type Listening } from '../../src/platform/listening.ts';
import type { RunningApi } from '../support/api.ts';
import { parkedEvent } from '../support/operator-overview.ts';
import { runOperatorSite, SECRET, type OperatorSite } from '../support/operator-site.ts';
import { fill, openLink } from './account-stage.ts';
import { launchChromium } from './chromium.ts';
import { PUBLIC_PAGES } from './public-pages.ts';
import { runStage, standStill } from './stage.ts';

/**
 * How much later than an empty page each page paints something for the first time, on a processor that is four times slower, with
 * nothing in the browser's cache: medians of loads that take turns. A measure: it belongs on a quiet machine.
 */

const LOADS = 7;
const SLOWER = 4;
const MOST_LATER_MS = 150;
const EMPTY = '<!doctype html><html lang="en"><title>Empty</title><p>.</p></html>';

let browser: Browser;
let api: RunningApi;
let site: OperatorSite;
let empty: Listening;

beforeAll(async () => {
  browser = await launchChromium();
  api = await runStage();
  site = await runOperatorSite();
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(EMPTY);
  });
  empty = await listenOn(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
});
afterAll(async () => {
  await browser?.close();
  for (const opened of [empty, site, api]) await opened?.[Symbol.asyncDispose]();
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
  const shown = Object.entries(later).toSorted(([, a], [, b]) => b - a);
  for (const [name, ms] of shown)
    process.stdout.write(`   ${String(Math.round(ms)).padStart(5)} ms  ${name}\n`);
  expect(shown.filter(([, ms]) => ms > MOST_LATER_MS)).toEqual([]);
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
  const times: { readonly empty: number; readonly page: number }[] = [];
  for (let load = 0; load < LOADS; load += 1)
    times.push({ empty: await firstPaint(context, empty.url), page: await firstPaint(context, url) });
  return median(times.map(({ page }) => page)) - median(times.map((one) => one.empty));
}

async function firstPaint(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url, { waitUntil: 'commit' });
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const first = list.getEntriesByName('first-paint')[0];
          if (first) resolve(first.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  await page.close();
  return painted;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
