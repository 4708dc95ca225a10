import { expect, test } from 'vitest';

import { LOCALES } from '../../src/texts/texts.ts';
import { CONFIRMED } from '../support/operator-acts.ts';
import { parkedEvent } from '../support/operator-overview.ts';
import { runOperatorSite } from '../support/operator-site.ts';
import { SECRET } from '../support/operator-visitor.ts';
import { inBrowser } from './in-browser.ts';
import { tabTo, walkThrough } from './keyboard.ts';
import { bytesFor, MOST_BYTES } from './weight.ts';

/** The operator page in a real browser, over a stand-in for the projector. */

const stage = inBrowser(runOperatorSite);

test.each(LOCALES)(
  'the pages take few bytes, and can be walked through by the keyboard, %s',
  async (locale) => {
    await using own = await runOperatorSite();
    const { page, complaints } = await stage.visit({}, own.url);
    const look = async (name: string, work: () => Promise<unknown>) => {
      const bytes = await bytesFor(page, work);
      process.stdout.write(`   operator, ${name}, ${locale}: ${bytes} bytes\n`);
      expect(bytes, name).toBeGreaterThan(5000);
      expect(bytes, name).toBeLessThan(MOST_BYTES);
      await walkThrough(page);
    };
    await look('locked', () => page.goto(`/${locale}`));
    await page.fill('#secret', SECRET);
    await look('open', async () => {
      await page.click('form.lock button');
      await page.waitForSelector('form.act');
    });
    for (const kind of CONFIRMED) {
      await page.goto(`/${locale}`);
      await look(`confirm-${kind}`, () => page.click(`a.act[href*="kind=${kind}&"]`));
    }
    await look('parked', () => page.goto(`/${locale}/parked?id=${encodeURIComponent(parkedEvent().id)}`));
    expect(complaints).toEqual([]);
  },
);

test('the keyboard alone unlocks the page and redrives an event, under the policy of the page', async () => {
  const { page, complaints } = await stage.visit();
  await page.goto('/en');
  await tabTo(page, '#secret');
  await page.keyboard.type(SECRET);
  await page.keyboard.press('Enter');
  await page.waitForSelector('form.act');
  await tabTo(page, 'a[href*="kind=redrive&"]');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en/confirm?*');
  expect(await page.title()).toContain('Redrive this event?');
  await tabTo(page, 'form.actions button');
  // Whoever hears the button hears what it does as well.
  expect(await page.getAttribute('form.actions button', 'aria-describedby')).toBe('what undo');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/en?done=ended');
  expect(stage.site.acts).toEqual([{ kind: 'redrive', subject: parkedEvent().id }]);
  expect(complaints).toEqual([]);
});

test('without scripts it does the same, and looks again by itself', async () => {
  const { page } = await stage.visit({ javaScriptEnabled: false });
  await page.goto('/en');
  expect(await page.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('60');
  await page.fill('#secret', SECRET);
  await page.click('form.lock button');
  await page.click('form:has(input[value="verify"]) button');
  expect(new URL(page.url()).search).toBe('?done=ended');
  expect(stage.site.acts.at(-1)).toEqual({ kind: 'verify', subject: '' });
  await page.click('a[href*="kind=rollback"]');
  await page.click('form.actions button');
  expect(new URL(page.url()).search).toBe('?done=ended');
  expect(stage.site.acts.at(-1)).toEqual({ kind: 'rollback', subject: 'listings' });
});

test('a page that is left open says that the process does not answer, and what a process in trouble says', async () => {
  await using own = await runOperatorSite();
  const { page } = await stage.visit({}, own.url);
  await page.goto('/en');
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.route('**/en', (route) => route.abort());
  await look();
  await page.getByText('The process does not answer').waitFor({ state: 'visible' });
  await page.unroute('**/en');
  const trouble = '<main data-refresh><p>The store is down</p></main>';
  await page.route('**/en', (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: trouble }),
  );
  await look();
  await page.getByText('The store is down').waitFor();
});
