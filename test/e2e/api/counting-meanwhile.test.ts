import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { LISTINGS } from '../../support/collections.ts';
import { published, unpublished } from '../../support/events.ts';
import { holdQuotaWrites } from '../../support/hold-quota-writes.ts';

/**
 * What a request asks for is made while the request is being counted. Where a day has no more than this, nothing of it is
 * ever held, and each request waits to be counted.
 */
const FEW = 45;

async function run(dailyLimit = FEW): Promise<RunningApi> {
  const api = await runApi({ dailyLimit });
  await api.project(published(), published({ subject: 'other', username: 'other_one' }));
  // From now on the key is known, and its day.
  expect((await api.get('/search?q=warming')).status).toBe(200);
  return api;
}

const searches = ({ search }: RunningApi): number =>
  search.calls.filter((call) => call.startsWith('query ')).length;
const listingsRead = ({ documents }: RunningApi): number =>
  documents.calls.filter((call) => call.startsWith(`get ["${LISTINGS}"`)).length;

// Without caches nothing that was made earlier is answered.
describe.runIf(HAS_CACHES)('a request that is being counted', () => {
  test('is refused where others have used up the day, whatever was made for it', async () => {
    await using api = await run();
    const { url } = await api.another();
    const headers = { 'x-api-key': api.key };
    for (let count = 2; count < FEW; count += 1) {
      // What this process knows of the day is never older than a few requests of the others.
      if (count === FEW - 5) await api.get('/top');
      expect((await fetch(`${url}/api/v1/top`, { headers })).status).toBe(200);
    }
    const before = searches(api);
    const { status, body } = await api.get('/search?q=news');
    expect([status, body.error?.code]).toEqual([429, 'rate_limited']);
    expect(body.items).toBeUndefined();
    await expect.poll(() => searches(api)).toBe(before + 1);
    // The day is known to be full: from now on nothing is made for nobody.
    expect((await api.get('/search?q=others')).status).toBe(429);
    expect(searches(api)).toBe(before + 1);
  });

  test('is told 503 where it could not be counted, whatever was made for it', async () => {
    await using api = await run();
    api.documents.failCollections = ['quota'];
    const before = searches(api);
    const { status, body } = await api.get('/search?q=news');
    expect([status, body.items]).toEqual([503, undefined]);
    await expect.poll(() => searches(api)).toBe(before + 1);
  });

  test('is told of what failed meanwhile only where it was granted, and costs nothing then', async () => {
    await using api = await run(3);
    api.search.fault = 'down';
    for (let count = 0; count < 4; count += 1)
      expect((await api.get(`/search?q=news ${count}`)).status).toBe(503);
    api.search.fault = 'none';
    expect((await api.get('/search?q=news')).status).toBe(200);
    expect((await api.get('/search?q=other')).status).toBe(200);
    api.search.fault = 'down';
    expect((await api.get('/search?q=third')).status).toBe(429);
  });

  test('for long is answered by what is so when it is granted', async () => {
    await using api = await run();
    const letGo = holdQuotaWrites(api);
    const before = listingsRead(api);
    const answer = api.get('/listings/other');
    await expect.poll(() => listingsRead(api)).toBe(before + 1);
    await api.fold(unpublished({ subject: 'other' }));
    api.clock.movedMs += 600;
    letGo();
    expect((await answer).status).toBe(404);
  });
});

test.runIf(HAS_CACHES)('a first request of a key has nothing made for it before it is granted', async () => {
  await using api = await run();
  const created = await api.keys.create('others');
  if (created.outcome !== 'created') throw new Error('no key was made');
  const before = searches(api);
  const letGo = holdQuotaWrites(api);
  api.documents.calls.length = 0;
  const headers = { 'x-api-key': created.key };
  const answer = fetch(`${api.url}/api/v1/search?q=news`, { headers });
  await expect.poll(() => api.documents.calls.some((call) => call.startsWith('get ["quota"'))).toBe(true);
  for (let count = 0; count < 20; count += 1) await nextTurn();
  expect(searches(api)).toBe(before);
  letGo();
  expect((await answer).status).toBe(200);
});
