import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';

import { LOCALES } from '../../src/texts/texts.ts';
import { createOidc } from '../../src/api/pages/account/oidc/code-flow.ts';
import { readConfig } from '../../src/config.ts';
import type { RunningApi } from '../support/api.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { freePort } from '../support/free-ports.ts';
import { startProvider, type RunningProvider } from '../support/oidc-provider.ts';
import { runPages } from '../support/pages.ts';
import { launchChromium } from './chromium.ts';
import { watch, type Watched } from './watched.ts';

/** Signing in at a real provider in a real browser, in one tab and in two. */

const browser = forAllTests(launchChromium);

interface Stage {
  readonly api: RunningApi;
  readonly provider: RunningProvider;
  readonly watched: Watched;
  /** Another tab of the same browser, which is not watched. */
  openTab(): Promise<Page>;
}

async function openStage(): Promise<Stage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startProvider(LOCALES.map((locale) => `${url}/${locale}/account/callback`));
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const { oidc } = readConfig({ ...provider.environment, CATALOG_OIDC_ALLOW: '*' });
  if (oidc === null) throw new Error('No provider is configured');
  const api = await runPages({ port, publicUrl: url, oidc: createOidc(oidc) });
  onTestFinished(() => api[Symbol.asyncDispose]());
  const watched = await watch(browser, url, {}, new URL(provider.issuer).origin);
  onTestFinished(() => watched[Symbol.asyncDispose]());
  return { api, provider, watched, openTab: () => watched.page.context().newPage() };
}

/** From the account's page to the first page of the provider. */
async function leave(page: Page, { api, provider }: Stage, locale = 'en'): Promise<void> {
  await page.goto(`${api.url}/${locale}/account`);
  await page.click('main form[action$="/identity"] button');
  await page.waitForURL(`${provider.issuer}/**`);
}

/** A provider asks once whether this client may know who somebody is. */
async function signIn(
  page: Page,
  { api }: Stage,
  { locale = 'en', isAsked = true }: { readonly locale?: string; readonly isAsked?: boolean } = {},
): Promise<void> {
  await page.fill('input[name="login"]', 'ada');
  await page.fill('input[name="password"]', 'any');
  await page.click('button[type="submit"]');
  if (isAsked) {
    await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: 'attached' });
    await page.click('button[type="submit"]');
  }
  await page.waitForURL(`${api.url}/${locale}/account`);
}

async function createKey(page: Page): Promise<void> {
  await page.fill('#label', 'first steps');
  await page.click('form.create button');
  await page.locator('[data-key]').waitFor();
}

test('somebody signs in in two tabs at once, and creates a key in each', async () => {
  const stage = await openStage();
  const { page: first, complaints } = stage.watched;
  const second = await stage.openTab();
  await Promise.all([leave(first, stage), leave(second, stage, 'ru')]);
  await signIn(second, stage, { locale: 'ru' });
  await signIn(first, stage, { isAsked: false });
  await createKey(second);
  await createKey(first);
  expect(complaints).toEqual([]);
});

test('whoever cancels at the provider is back at the sign-in, and can begin again', async () => {
  const stage = await openStage();
  const { page } = stage.watched;
  await leave(page, stage);
  await page.click('a[href$="/abort"]');
  await page.waitForURL(`${stage.api.url}/en/account?done=cancelled`);
  expect(await page.getByRole('status').innerText()).toContain('it was cancelled at the provider');
  await page.click('main form[action$="/identity"] button');
  await page.waitForURL(`${stage.provider.issuer}/**`);
  await signIn(page, stage);
});
