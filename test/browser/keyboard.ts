import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Pages as they are used without a mouse. */

/** More stops than the longest page has. */
const MOST_STOPS = 1500;

/**
 * Walks through a page by the tabulator from its top to its end, and expects that the way past the bar comes first, that
 * every stop can be seen and is not behind the bar, and that nothing that can be clicked is left out.
 */
export async function walkThrough(page: Page): Promise<void> {
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(stopHere);
    if (stop === null || stop.isBack) break;
    stops.push(stop);
    if (stops.length > MOST_STOPS) throw new Error(`The walk goes round in circles at ${stop.name}`);
  }
  expect(stops[0]?.name).toMatch(/\.skip /);
  expect(stops.filter(({ isShown }) => !isShown).map(({ name }) => name)).toEqual([]);
  expect(stops.filter(({ isBehind }) => isBehind).map(({ name }) => name)).toEqual([]);
  expect(await page.evaluate(leftOut)).toEqual([]);
}

/** Goes on by the tabulator to the first stop that this selector fits. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  // What was done before may lead to another page.
  await page.locator(selector).first().waitFor();
  for (let step = 0; step < MOST_STOPS; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`the keyboard does not come to ${selector}`);
}

interface Stop {
  readonly name: string;
  /** Whether it has been stopped at before: the walk is over. */
  readonly isBack: boolean;
  /** Whether one sees that it has the focus. */
  readonly isShown: boolean;
  /** Whether the bar, which stays at the top, covers it. */
  readonly isBehind: boolean;
}

/** Runs in the page. */
function stopHere(): Stop | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const isBack = focused.hasAttribute('data-walked');
  focused.setAttribute('data-walked', '');
  // A field shows it by what stands around it, a hidden choice by its label.
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined;
  const isShown = [focused, focused.closest('.field'), label]
    .filter((one) => one instanceof Element)
    .map((one) => getComputedStyle(one))
    .some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px');
  const bar = document.querySelector('.bar');
  const box = (label ?? focused).getBoundingClientRect();
  const isBehind =
    bar !== null &&
    !bar.contains(focused) &&
    !focused.matches('.skip') &&
    getComputedStyle(bar).position === 'sticky' &&
    box.bottom <= bar.getBoundingClientRect().bottom;
  const text = focused.textContent?.trim().replaceAll(/\s+/g, ' ').slice(0, 40);
  return { name: `${focused.tagName}.${focused.className} ${text}`, isBack, isShown, isBehind };
}

/** Runs in the page: what can be used by a mouse, and was not stopped at. */
function leftOut(): readonly string[] {
  const usable = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]';
  return (
    [...document.querySelectorAll(usable)]
      .filter((one) => !one.hasAttribute('data-walked') && !one.matches(':disabled'))
      .filter((one) => one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }))
      // Of choices of which one is made, the keyboard comes to that one, and arrows lead to the others.
      .filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked))
      .map((one) => `${one.tagName}.${one.className} ${one.textContent?.trim().slice(0, 40)}`)
  );
}
