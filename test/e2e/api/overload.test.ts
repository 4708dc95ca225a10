import { expect, test } from 'vitest';

import { runApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';

const AT_ONCE = 320;

test('searches beyond what can be answered in time are 503 at once, cost nothing, and leave no trace', async () => {
  // So there is room for 200 in line before anything was measured.
  await using api = await runApi({ storeLimitMs: 4000 });
  await api.project(published());
  const listing = await api.get('/listings/ai-news');
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const query = api.search.query.bind(api.search);
  api.search.query = async (...given) => {
    await opened;
    return await query(...given);
  };
  const refused: Headers[] = [];
  const asked = Array.from({ length: AT_ONCE }, async (_, index) => {
    const { status, headers } = await api.get(`/search?q=news${index}`);
    if (status === 503) refused.push(headers);
    return status;
  });
  // None has been answered yet: who is refused now has not waited for the store.
  await expect.poll(() => refused.length, { timeout: 3000 }).toBeGreaterThan(AT_ONCE / 4);
  expect((await api.get('/listings/ai-news')).body).toEqual(listing.body);
  open();
  const statuses = await Promise.all(asked);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  for (const headers of refused) {
    expect([headers.get('retry-after'), headers.get('x-ratelimit-cost')]).toEqual(['2', '0']);
  }
  const after = await api.get('/search?q=news');
  expect(after.body.total).toBe(1);
  const answered = AT_ONCE - refused.length;
  expect(after.headers.get('x-ratelimit-remaining')).toBe(String(1000 - answered - 3));
});
