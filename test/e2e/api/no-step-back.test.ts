import { afterEach, expect, test, vi } from 'vitest';

import { type Body, runApi, type RunningApi } from '../../support/api.ts';
import { categoryDefined, published } from '../../support/events.ts';

/** What one answer of an instance has shown, no later one of the same instance takes back, whatever each is made from. */

const CONFIRM_MS = 500;

let time = 0;

afterEach(() => void vi.restoreAllMocks());

/** An instance whose time goes on when a test says so. */
async function runStill(): Promise<RunningApi> {
  const api = await runApi({ confirmMs: CONFIRM_MS });
  time = api.clock.monotonic();
  vi.spyOn(api.clock, 'monotonic').mockImplementation(() => time);
  return api;
}

const titleIn = ({ items, category }: Body): unknown =>
  ((items?.[0]?.['category'] ?? category) as { readonly title: string } | undefined)?.title;

test.each([
  ['/top?locale=en', '/listings/ai-news?locale=en'],
  ['/search?locale=en&q=news', '/listings/ai-news?locale=en'],
  ['/listings/ai-news?locale=en', '/top?locale=en'],
])('%s shows no old title of a category after %s has shown the new one', async (kept, other) => {
  await using api = await runStill();
  await api.project(categoryDefined(), published({ category: 'data-science' }));
  const read = async (path: string): Promise<unknown> => titleIn((await api.get(path)).body);
  await expect.poll(() => read(kept)).toBe('Data science');
  expect(await read(other)).toBe('Data science');
  await api.fold(categoryDefined({ revision: 2, title: { en: 'New', ru: 'Новое' } }));
  // Late in their time what is known is read again behind the answers, which are kept for a moment.
  time += 0.79 * CONFIRM_MS;
  for (let times = 0; times < 3; times += 1) await read(kept);
  time += 0.02 * CONFIRM_MS;
  // Where the machine is busy, what was dear to compute counts for longer.
  const readLater = async (): Promise<unknown> => {
    time += 1;
    return await read(other);
  };
  await expect.poll(readLater, { timeout: 60_000, interval: 1 }).toBe('New');
  expect(await read(kept)).toBe('New');
});
