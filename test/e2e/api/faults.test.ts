import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { HAS_CACHES } from '../../support/caches.ts';
import { CATEGORIES, LISTINGS } from '../../support/collections.ts';
import { categoryDefined, measured, published, unpublished } from '../../support/events.ts';

async function withEntry(options: Parameters<typeof runApi>[0] = {}): Promise<RunningApi> {
  return await runApi(options, categoryDefined(), published({ category: 'data-science' }), measured());
}

describe('a store that fails', () => {
  test('down: 503 with a pause to wait, nothing is left where the key could not be checked', async () => {
    await using api = await withEntry();
    api.documents.fault = 'down';
    const { status, body, headers } = await api.get('/top?locale=en');
    expect(status).toBe(503);
    expect(body.error?.code).toBe('internal');
    expect(headers.get('retry-after')).toBe('2');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(await api.metrics()).toContain('catalog_http_store_failures_total{kind="retryable"} 1');
    api.documents.fault = 'none';
    expect((await api.get('/top')).status).toBe(200);
  });

  test('silent: 503 after the limit', async () => {
    await using api = await withEntry({ storeLimitMs: 50 });
    api.documents.fault = 'silent';
    expect((await api.get('/top')).status).toBe(503);
  });

  test('slow at every call: all of them together have one limit, and the request is given back', async () => {
    await using api = await withEntry({ storeLimitMs: 1000, confirmMs: 0 });
    const { headers: first } = await api.get('/listings/ai-news');
    const restore = slowDown(api.documents, 600);
    // Each call alone keeps the limit; three of them come one after the other.
    const { status, headers } = await api.get('/listings/ai-news');
    expect([status, headers.get('retry-after'), headers.get('x-ratelimit-cost')]).toEqual([503, '2', '0']);
    restore();
    // Where the machine was too busy for that, it is given back again.
    let { status: again, headers: last } = await api.get('/listings/ai-news');
    while (again === 503) ({ status: again, headers: last } = await api.get('/listings/ai-news'));
    const [before, after] = [first, last].map((one) => Number(one.get('x-ratelimit-remaining')));
    expect(after).toBe(Number(before) - 1);
  });

  test('slow at every call: the status is answered from memory by the same limit', async () => {
    await using api = await withEntry({ storeLimitMs: 1000, confirmMs: 0 });
    await expect.poll(async () => (await api.get('/status')).status).toBe(200);
    const restore = slowDown(api.documents, 600);
    const { status, body } = await api.get('/status');
    expect([status, body['stale']]).toEqual([200, true]);
    restore();
  });

  test('a request that cannot be counted is 503, and its key is in the access log', async () => {
    await using api = await withEntry();
    await api.get('/top');
    api.documents.failCollections = ['quota'];
    expect((await api.get('/top')).status).toBe(503);
    const lines = api.log.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const [{ id } = { id: '' }] = await api.keys.list('tests');
    expect(lines.find(({ status }) => status === 503)).toMatchObject({ route: '/api/v1/top', keyId: id });
  });

  test.runIf(HAS_CACHES)('what was confirmed a moment ago is still served', async () => {
    await using api = await withEntry({ confirmMs: 60_000 });
    await api.get('/listings/ai-news');
    api.documents.failCollections = [LISTINGS, CATEGORIES, 'aliases'];
    expect((await api.get('/listings/ai-news')).status).toBe(200);
    expect((await api.get('/listings/another')).status).toBe(503);
    api.clock.movedMs += 60_000;
    expect((await api.get('/listings/ai-news')).status).toBe(503);
  });
});

describe('the cache', () => {
  test('an instance that has answered 404 for a slug lists it no more', async () => {
    await using api = await withEntry({ confirmMs: 300 });
    await api.project(published({ subject: 'other' }));
    expect((await api.get('/top')).body.items).toHaveLength(2);
    await api.project(unpublished());
    // By the clock alone: documents are due for confirmation, and so is nothing else that was costly.
    api.clock.movedMs += 301;
    expect((await api.get('/listings/ai-news')).status).toBe(404);
    const { body } = await api.get('/top');
    expect(body.items?.map(({ slug }) => slug)).toEqual(['other']);
    expect(body.total).toBe(1);
  });

  test.runIf(HAS_CACHES)('a new measurement shows after the confirmation interval, not before', async () => {
    await using api = await withEntry({ confirmMs: 1000 });
    const subscribers = async () => {
      const { body } = await api.get('/listings/ai-news');
      return (body['metrics'] as { readonly subscribers: number }).subscribers;
    };
    expect(await subscribers()).toBe(1000);
    await api.project(measured({ measured_at: '2026-11-20T09:30:00Z', subscribers: 2000 }));
    expect(await subscribers()).toBe(1000);
    api.clock.movedMs += 1000;
    expect(await subscribers()).toBe(2000);
  });
});

const READ_MODELS = /^(?:aliases|listings@|categories@|monitor@)/;

/** Every read of the read models takes so long; returns what ends that. */
function slowDown(documents: RunningApi['documents'], ms: number): () => void {
  const [get, versions] = [documents.get.bind(documents), documents.versions.bind(documents)];
  const [find, count] = [documents.find.bind(documents), documents.count.bind(documents)];
  const late =
    <Given extends readonly unknown[], Result>(method: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (READ_MODELS.test(String(given[0]))) await sleep(ms);
      return await method(...given);
    };
  Object.assign(documents, {
    get: late(get),
    versions: late(versions),
    find: late(find),
    count: late(count),
  });
  return () => Object.assign(documents, { get, versions, find, count });
}
