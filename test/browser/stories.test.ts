import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startProvider } from '../support/oidc-provider.ts';
import { freePort } from '../support/free-ports.ts';
import { install } from '../support/process.ts';
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

test('on one machine, by the link that a start prints, with the mouse', { timeout: 300_000 }, async () => {
  await using catalog = await install();
  const banner = await catalog.start().printed(READY);
  const [, link = ''] = /^Your account.*: (\S+)$/m.exec(banner) ?? [];
  const origin = new URL(link).origin;
  await inTime('embedded', async () => {
    await using watched = await watch(browser, origin);
    const { page, complaints } = watched;
    await page.goto(`${origin}/`);
    await MOUSE.use(page, 'main a[href$="/account"]');
    // The page says that a local start prints a link.
    await page.locator('main').getByText('A local start prints one').waitFor();
    await page.goto(link);
    await MOUSE.use(page, 'main form button');
    await makeKeyAndAsk(page, MOUSE);
    expect(complaints).toEqual([]);
  });
});

test(
  'with an identity, at a provider of OpenID Connect, with the keyboard alone',
  { timeout: 300_000 },
  async () => {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    await using provider = await startProvider(
      ['en', 'ru'].map((locale) => `${origin}/${locale}/account/callback`),
    );
    await using catalog = await install({
      PORT: String(port),
      CATALOG_PUBLIC_URL: origin,
      ...provider.environment,
      CATALOG_OIDC_ALLOW: 'ada',
    });
    await catalog.start().printed(READY);
    await inTime('with an identity', async () => {
      await using watched = await watch(browser, origin, {}, provider.issuer);
      const { page, complaints } = watched;
      await page.goto(`${origin}/`);
      await KEYBOARD.use(page, 'main a[href$="/account"]');
      await KEYBOARD.use(page, 'main form[action$="/identity"] button');
      await page.waitForURL(`${provider.issuer}/**`);
      await KEYBOARD.write(page, 'input[name="login"]', 'ada');
      await KEYBOARD.write(page, 'input[name="password"]', 'any');
      await KEYBOARD.use(page, 'button[type="submit"]');
      await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
      await KEYBOARD.use(page, 'button[type="submit"]');
      await page.waitForURL(`${origin}/en/account**`);
      await makeKeyAndAsk(page, KEYBOARD);
      expect(complaints).toEqual([]);
    });
  },
);

async function inTime(name: string, story: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await story();
  const ms = performance.now() - started;
  process.stdout.write(`   from / to a first answer, ${name}: ${Math.round(ms)} ms\n`);
  expect(ms).toBeLessThan(MOST_MS);
}

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
