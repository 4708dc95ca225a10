import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';

import { differenceOf } from './difference.ts';

/**
 * Holds what a page looks like against `baselines/`, which `UPDATE_BASELINES=1` writes. Fonts differ between machines, so shapes
 * and colours count, not pixels.
 */
export async function compare(browser: Browser, page: Page, look: string): Promise<void> {
  const folder = join(import.meta.dirname, 'baselines');
  const file = join(folder, `${look}.jpeg`);
  const shot = await page.screenshot({ type: 'jpeg', quality: 45 });
  if (process.env['UPDATE_BASELINES'] === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, shot);
  }
  expect(existsSync(file), `${file}: UPDATE_BASELINES=1 writes it`).toBe(true);
  const difference = await differenceOf(browser, readFileSync(file), shot);
  expect(difference, `${look} looks otherwise: see screenshots/`).toBeLessThan(0.04);
}
