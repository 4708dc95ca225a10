import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';

import { simulatedHistory } from '../../src/sample/simulated/history.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { forAllTests } from '../support/for-each-test.ts';
import { temporaryFolder } from '../support/folder.ts';
import { makeTwoBuilds, otherScores } from '../support/two-builds.ts';
import { launchChromium } from './chromium.ts';
import { faintThings, sidewaysScroll } from './looks.ts';
import { watch } from './watched.ts';

/** The page of `builds diff --html`, from a file, as a reader opens it. Every entry is called what an attacker would call it. */

const ATTACK =
  '</script><script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'>';
const folder = temporaryFolder();
const file = join(folder, 'diff.html');
/** What `URL` has as the origin of every file. */
const FILES = 'null';
const browser = forAllTests(launchChromium);

beforeAll(async () => {
  const history = {
    entries: 300,
    days: 30,
    events: 3000,
    seed: 1,
    endMs: Date.parse('2026-01-01T00:00:00Z'),
  };
  const events = [...simulatedHistory(history)].filter(({ type }) => type.startsWith('catalog.entry.'));
  await makeTwoBuilds(folder, both(events), {
    ...otherScores,
    view: (id, registers) => ({ ...otherScores.view(id, registers), title: { en: ATTACK, ru: ATTACK } }),
  });
  const command = ['src/main.mjs', 'builds', 'diff', 'live', 'weights', '--html', file];
  const env = { ...process.env, CATALOG_DATA: folder };
  await promisify(execFile)(process.execPath, command, { cwd: join(import.meta.dirname, '../..'), env });
});

function both(events: readonly CloudEvent[]) {
  return { live: events, shadow: events };
}

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, viewport: { width: 1280, height: 900 }, size: 'wide' },
  { colorScheme, viewport: { width: 360, height: 740 }, size: 'phone' },
]);

describe.each(LOOKS)('the page of a comparison, $colorScheme $size', ({ colorScheme, viewport, size }) => {
  test('is drawn without a complaint, loads nothing, fits its width, and can be read', async () => {
    await using watched = await watch(browser, FILES, { colorScheme, viewport });
    const { page, complaints } = watched;
    await page.goto(pathToFileURL(file).href);
    expect(await page.title()).toMatch(/^listings@\d+-weights compared with listings@\d+$/);
    expect(await page.evaluate(hasDots)).toBe(true);
    expect(await page.evaluate(sidewaysScroll)).toBe(0);
    expect(await page.evaluate(brokenWords)).toEqual([]);
    expect(await page.evaluate(faintThings)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.screenshot({
      path: join(import.meta.dirname, 'screenshots', `diff-${colorScheme}-${size}.png`),
      fullPage: true,
    });
  });
});

test('the charts follow the scheme of the reader while the page is open', async () => {
  await using watched = await watch(browser, FILES, { colorScheme: 'light' });
  const { page, complaints } = watched;
  await page.goto(pathToFileURL(file).href);
  const dot = page.locator('.dot').first();
  const light = await dot.evaluate(strokeOf);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => dot.evaluate(strokeOf)).not.toBe(light);
  expect(complaints).toEqual([]);
});

test('where a title had got out of its place, the policy would still not let it run', async () => {
  await using watched = await watch(browser, FILES);
  const { page, complaints } = watched;
  const broken = readFileSync(file, 'utf8').replace('<main>', `<main>${ATTACK}`);
  await page.setContent(broken);
  expect(await page.title()).not.toBe('owned');
  expect(complaints.filter((one) => one.includes('Content Security Policy')).length).toBeGreaterThan(0);
});

/** Whether the chart has marks that have a colour. */
function hasDots(): boolean {
  return [...document.querySelectorAll('.dot')].some((mark) =>
    getComputedStyle(mark).stroke.startsWith('rgb'),
  );
}

function strokeOf(mark: Element): string {
  return getComputedStyle(mark).stroke;
}

/** Words that are wider than the cell of the table that they stand in, so that they are broken. */
function brokenWords(): readonly string[] {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return ['nothing can be measured'];
  return [...document.querySelectorAll<HTMLElement>('th, td')].flatMap((cell) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(cell);
    context.font = font;
    const room = cell.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const words = (cell.textContent ?? '').split(/[^\p{L}\p{N}]+/u);
    return words.filter((word) => context.measureText(word).width > room + 1);
  });
}
