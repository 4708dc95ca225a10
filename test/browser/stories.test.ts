import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startProvider, type RunningProvider } from '../support/oidc-provider.ts';
import { freePort } from '../support/free-ports.ts';
import { install, type Installation } from '../support/process.ts';
import { launchChromium } from './chromium.ts';
import { tabTo } from './keyboard.ts';
import { watch } from './watched.ts';

/**
 * How somebody who has no key gets from the front page to a first answered request with one of their own: on a real
 * service, in a real browser, by the links and buttons that are there.
 */

const MOST_MS = 120_000;
/** The same number of days of sample and of the monitor as on any first start. */
const READY = 'Ctrl-C stops.';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** What a person does: by the mouse, or by the keyboard alone. */
interface Hands {
  /** Uses a link or a button. */
  use(page: Page, selector: string): Promise<void>;
  write(page: Page, selector: string, text: string): Promise<void>;
}

const MOUSE: Hands = {
  use: (page, selector) => page.click(selector),
  write: (page, selector, text) => page.fill(selector, text),
};
const KEYBOARD: Hands = {
  use: async (page, selector) => {
    await tabTo(page, selector);
    await page.keyboard.press('Enter');
  },
  write: async (page, selector, text) => {
    await tabTo(page, selector);
    await page.keyboard.type(text);
  },
};
const BOTH = [
  ['the mouse', MOUSE],
  ['the keyboard alone', KEYBOARD],
] as const;

describe('on one machine, by the link that a start prints', () => {
  let catalog: Installation;
  beforeAll(async () => {
    catalog = await install();
  });
  afterAll(() => catalog?.[Symbol.asyncDispose]());

  test.each(BOTH)('with %s', { timeout: 300_000 }, async (name, hands) => {
    const service = catalog.start();
    const banner = await service.printed(READY);
    const [, link = ''] = /^Your account.*: (\S+)$/m.exec(banner) ?? [];
    const origin = new URL(link).origin;
    const started = performance.now();
    await using watched = await watch(browser, origin);
    const { page, complaints } = watched;
    await page.goto(`${origin}/`);
    await hands.use(page, 'main a[href$="/account"]');
    // The page says that a local start prints a link.
    await page.locator('main').getByText('A local start prints one').waitFor();
    await page.goto(link);
    await hands.use(page, 'main form button');
    await makeKeyAndAsk(page, hands);
    const ms = performance.now() - started;
    process.stdout.write(`   from / to a first answer, embedded, ${name}: ${Math.round(ms)} ms\n`);
    expect(ms).toBeLessThan(MOST_MS);
    expect(complaints).toEqual([]);
    await service.stop();
  });
});

describe('with an identity, at a provider of OpenID Connect', () => {
  let catalog: Installation;
  let provider: RunningProvider;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    provider = await startProvider([`${origin}/en/account/callback`, `${origin}/ru/account/callback`]);
    catalog = await install({
      PORT: String(port),
      CATALOG_PUBLIC_URL: origin,
      ...provider.environment,
      CATALOG_OIDC_ALLOW: 'ada,grace',
    });
    await catalog.start().printed(READY);
  }, 300_000);
  afterAll(async () => {
    await catalog?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  test.each([
    ['the mouse', MOUSE, 'ada'],
    ['the keyboard alone', KEYBOARD, 'grace'],
  ] as const)('with %s', { timeout: 300_000 }, async (name, hands, subject) => {
    const started = performance.now();
    await using watched = await watch(browser, origin, {}, provider.issuer);
    const { page, complaints } = watched;
    await page.goto(`${origin}/`);
    await hands.use(page, 'main a[href$="/account"]');
    await hands.use(page, 'main form[action$="/identity"] button');
    await page.waitForURL(`${provider.issuer}/**`);
    await hands.write(page, 'input[name="login"]', subject);
    await hands.write(page, 'input[name="password"]', 'any');
    await hands.use(page, 'button[type="submit"]');
    await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
    await hands.use(page, 'button[type="submit"]');
    await page.waitForURL(`${origin}/en/account**`);
    await makeKeyAndAsk(page, hands);
    const ms = performance.now() - started;
    process.stdout.write(`   from / to a first answer, with an identity, ${name}: ${Math.round(ms)} ms\n`);
    expect(ms).toBeLessThan(MOST_MS);
    expect(complaints).toEqual([]);
  });
});

/** Makes a key, sends the request that its page shows as it stands there, and another one from the reference. */
async function makeKeyAndAsk(page: Page, hands: Hands): Promise<void> {
  await hands.write(page, '#label', 'first steps');
  await hands.use(page, 'form.create button');
  const key = await page.locator('[data-key]').innerText();
  const command = await page.locator('.made pre code').innerText();
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({ items: [{}, {}, {}] });
  await hands.use(page, '.bar a[href$="/reference"]');
  await hands.write(page, '#key', key);
  await hands.use(page, '#getTop .send button');
  await expect.poll(() => page.innerText('#getTop .outcome-status')).toMatch(/^200 /);
}
