import { describe, expect, test } from 'vitest';

import { targetDefined } from '../../src/sample/event-builders.ts';
import { historyProbes } from '../../src/sample/sample.ts';
import { simulatedHistory } from '../../src/sample/simulated/history.ts';
import { TARGETS } from '../../src/sample/targets.ts';
import { runPages } from '../support/pages.ts';
import { inBrowser } from './in-browser.ts';

/** What the pages of the catalog do in a real browser. */

const END = Date.parse('2026-11-20T10:00:00Z');
const MINUTE = 60_000;
const DAYS = 6;

/** An entry with measurements, and what finds it. */
let slug: string;
let word: string;

const stage = inBrowser(async () => {
  const api = await runPages({ at: END });
  const history = [...simulatedHistory({ entries: 60, days: 40, events: 2000, seed: 7, endMs: END })];
  const time = new Date(END).toISOString();
  const targets = TARGETS.map((one) => targetDefined(one, { id: one.id, source: '/monitor', time }));
  const last = END / MINUTE - 2;
  const probes = historyProbes({ first: last - DAYS * 1440, last });
  await api.project(...history.filter(({ type }) => type.startsWith('catalog.')), ...targets, ...probes);
  const top = (await api.get('/top?kind=channel&limit=1')).body.items ?? [];
  slug = top[0]?.slug ?? '';
  word = String(top[0]?.['username']).slice(0, 5).toLowerCase();
  return api;
});

describe('with the keyboard alone', () => {
  test('a search while typing shows entries below the field, and leads to one', async () => {
    const { page, complaints } = await stage.visit();
    await page.goto('/en');
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await page.locator('[data-panel] .entry').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('[data-panel]').isVisible()).toBe(false);
    // Browsers empty the field with it.
    await page.keyboard.type(word.slice(0, -1));
    await page.locator('[data-panel] a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/en/search?q=${word.slice(0, -1)}`);
    await page.locator('#results').waitFor();
    await page.goBack();
    expect(complaints).toEqual([]);
  });

  test('results follow the words while they are typed, and so do the address and the other language', async () => {
    const { page, complaints } = await stage.visit();
    await page.goto('/ru/search');
    await page.focus('#q');
    await page.keyboard.type('zzzzqqqq');
    await page.locator('.empty').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('zzzzqqqq');
    expect(await page.getAttribute('.languages a[lang=en]', 'href')).toBe('../en/search?q=zzzzqqqq');
    expect(complaints).toEqual([]);
  });
});

test('without scripts, the search works, and so do its filters, its entries and the languages', async () => {
  const { page } = await stage.visit({ javaScriptEnabled: false });
  await page.goto('/en');
  await page.fill('#q', word);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/en/search?q=${word}`);
  await page.locator('.facet a').nth(1).click();
  await page.waitForURL(`**/en/search?q=${word}&kind=channel`);
  await page.goto(`/en/entries/${slug}`);
  await page.locator('.chart details summary').click();
  expect(await page.locator('.chart table').isVisible()).toBe(true);
  await page.locator('.languages a[lang=ru]').click();
  await page.waitForURL(`**/ru/entries/${slug}`);
});

test('in the reader’s own colours, what is chosen and what a colour stands for are still told apart', async () => {
  const { page } = await stage.visit({ forcedColors: 'active' });
  const outlines = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
  await page.goto('/en/search');
  for (const links of ['.bar .sections a', '.facet:first-child a']) {
    expect(await outlines(`${links}[aria-current]`)).toEqual(['solid']);
    expect(new Set(await outlines(`${links}:not([aria-current])`))).toEqual(new Set(['none']));
  }
  await page.goto('/en/status');
  const legend = page.locator('.legend').first().locator('i');
  const colours = await legend.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  expect(new Set(colours).size).toBe(4);
});

describe('the status page', () => {
  test('leaves open what was opened, when an incident has come before it', async () => {
    const { page } = await stage.visit();
    await page.clock.install();
    await page.goto('/en/status');
    const folded = page.locator('.incident details');
    expect(await folded.count()).toBeGreaterThan(1);
    const id = String(await page.locator('.incident').nth(1).getAttribute('id'));
    const opened = page.locator(`[id="${id}"] details`);
    await opened.evaluate((one) => one.toggleAttribute('open', true));
    await page.route('**/en/status', async (route) => {
      const response = await route.fetch();
      const fresh =
        '<article class="incident down" id="fresh"><details><summary>x</summary></details></article>';
      const body = (await response.text()).replace('<article class="incident', `${fresh}$&`);
      await route.fulfill({ response, body });
    });
    await page.clock.runFor(31_000);
    await page.locator('#fresh').waitFor();
    expect(await opened.getAttribute('open')).not.toBeNull();
    expect(await page.locator('.incident details[open]').count()).toBe(1);
  });

  test('shows a new state by itself', async () => {
    const { page } = await stage.visit();
    await page.clock.install();
    await page.goto('/en/status');
    const heading = page.locator('.overall .statement');
    const before = await heading.innerText();
    await page.route('**/en/status', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(before, 'A new state.') });
    });
    await page.clock.runFor(31_000);
    await expect.poll(() => heading.innerText()).toBe('A new state.');
  });
});
