import { expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { published } from '../../support/events.ts';

/** Two hundred requests take a busy machine longer than any answer may take: none is cut off for that. */
const UNHURRIED = { storeLimitMs: 600_000, limits: { requestTimeoutMs: 600_000 } };

/** Lets no query of the index end before it is opened; counts those that were begun. */
function holdIndex(api: RunningApi) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const query = api.search.query.bind(api.search);
  const held = { begun: 0, open };
  api.search.query = async (...given) => {
    held.begun += 1;
    await opened;
    return await query(...given);
  };
  return held;
}

test('searches beyond what can be answered in time are 503 at once, cost nothing, and leave no trace', async () => {
  await using api = await runApi(UNHURRIED, published());
  const listing = await api.get('/listings/ai-news');
  const keys = await Promise.all(Array.from({ length: 40 }, (_, index) => newKey(api, `caller-${index}`)));
  // By the clock that is told searches take long, more than one of them: there is room for some seventy in line, on a machine of any speed.
  const query = api.search.query.bind(api.search);
  api.search.query = async (...given) => ((api.clock.movedMs += 60_000), await query(...given));
  for (let taught = 0; taught < 25; taught += 1) await api.get(`/search?q=long${taught}`);
  api.search.query = query;
  const held = holdIndex(api);
  const refused: Headers[] = [];
  const asked = keys.flatMap((key) =>
    Array.from({ length: 5 }, async (_, index) => {
      const { status, headers } = await search(api, key, `news${index} ${key.slice(-6)}`);
      if (status === 503) refused.push(headers);
      return status;
    }),
  );
  // None has been answered yet: who is refused because of those in line has not waited for the store.
  await expect.poll(() => refused.length, { timeout: 120_000 }).toBeGreaterThan(50);
  expect(api.log.filter((line) => line.includes('are in line for a search'))).not.toEqual([]);
  expect((await api.get('/listings/ai-news')).body).toEqual(listing.body);
  held.open();
  const statuses = await Promise.all(asked);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(held.begun).toBeGreaterThan(0);
  for (const headers of refused) {
    expect([headers.get('retry-after'), headers.get('x-ratelimit-cost')]).toEqual(['2', '0']);
  }
  const after = await api.get('/search?q=news');
  expect(after.body.total).toBe(1);
});

test('a key has eight searches at work; others wait for a second, are 503, and cost nothing; other keys go on', async () => {
  await using api = await runApi({ ...UNHURRIED, confirmMs: 600_000 }, published());
  await api.get('/search?q=known');
  const other = await newKey(api, 'other');
  const held = holdIndex(api);
  const asked = Array.from({ length: 30 }, (_, index) => search(api, api.key, `news${index}`));
  const busy = await firstOf(asked, 22);
  for (const response of busy) {
    expect(response.status).toBe(503);
    const { headers } = response;
    expect([headers.get('retry-after'), headers.get('x-ratelimit-cost')]).toEqual(['1', '0']);
  }
  const { error } = (await (busy[0] as Response).json()) as { error: { code: string; message: string } };
  expect(error).toMatchObject({ code: 'internal', message: expect.stringContaining('8') as string });
  // Nobody logs a store that is down: none is.
  expect(api.log.filter((line) => line.includes('down or too slow'))).toEqual([]);
  // What is known costs the index nothing, and needs no place. Without caches that depends on what it cost: hits may be kept for
  // twenty times as long.
  const known = HAS_CACHES ? (await search(api, api.key, 'known')).status : 200;
  expect(known).toBe(200);
  // The others' turn comes as soon as one of this key has ended.
  const answer = search(api, other, 'news');
  held.open();
  expect((await answer).status).toBe(200);
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
  expect((await api.get('/search?q=known')).headers.get('x-ratelimit-remaining')).toBe(
    String(1000 - 1 - 8 - (HAS_CACHES ? 2 : 1)),
  );
});

/** Those that are answered first. */
async function firstOf(asked: readonly Promise<Response>[], count: number): Promise<readonly Response[]> {
  const answered: Response[] = [];
  for (const one of asked) void one.then((response) => answered.push(response));
  await expect.poll(() => answered.length, { timeout: 120_000 }).toBe(count);
  return answered.slice();
}

async function search({ url }: RunningApi, key: string, q: string): Promise<Response> {
  return await fetch(`${url}/api/v1/search?q=${encodeURIComponent(q)}`, { headers: { 'x-api-key': key } });
}

async function newKey({ keys }: RunningApi, account: string): Promise<string> {
  const created = await keys.create(account);
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return created.key;
}
