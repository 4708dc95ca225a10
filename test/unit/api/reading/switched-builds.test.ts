import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ListingView } from '../../../../projections/listings/document.ts';
import { createCatalogReader, type CatalogReader } from '../../../../src/api/reading/catalog-reader.ts';
import { ENTRY } from '../../../../src/api/routes/example-catalog.ts';
import type { Clock } from '../../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import type { LiveAlias } from '../../../../src/stores/aliases.ts';
import { ALIAS_MS, NOTHING_BESIDE, READERS_MS } from '../../../../src/stores/aliases.ts';
import { createDeadline, STORE_LIMIT_MS, type ReadDocuments } from '../../../../src/stores/time-limit.ts';

/*
 * One instance, over a switch: the build that was live goes on `READERS_MS` after it, and the one that is live now may be
 * behind then. Nothing that the instance answers by the alias of before may be read so late.
 */

const [BEFORE, AFTER] = ['listings@2', 'listings@3'];
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async () => undefined,
};

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** An instance on stores that take as long as they are told to. */
function openInstance(): {
  readonly reading: CatalogReader;
  readonly stores: { live: string; title: string; aliasMs: number; documentMs: number };
} {
  const stores = { live: BEFORE, title: 'old', aliasMs: 0, documentMs: 0 };
  const waited = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const documents = {
    get: async (collection: string, ids: readonly string[]) => {
      await waited(stores.documentMs);
      const title = collection === BEFORE ? stores.title : 'old';
      const view = { ...ENTRY.view, published: true, title: { en: title } } as ListingView;
      return new Map(ids.map((id) => [id, { id, version: `${collection} ${title}`, body: { view } }]));
    },
  } as unknown as ReadDocuments;
  const readAlias = async (): Promise<LiveAlias> => {
    const { live } = stores;
    await waited(stores.aliasMs);
    return { ...NOTHING_BESIDE, version: 2, collection: live, index: live, folds: {}, token: live };
  };
  const reading = createCatalogReader({
    live: readAlias,
    documents,
    search: {} as never,
    clock,
    confirmMs: ALIAS_MS,
    storeLimitMs: STORE_LIMIT_MS,
    maxBytes: 2 ** 20,
  });
  return { reading, stores };
}

/** As a request is answered: the title that it shows, or that its stores took too long. */
async function ask(reading: CatalogReader, id = 'x'): Promise<string> {
  const deadline = createDeadline(STORE_LIMIT_MS, () => clock.monotonic());
  const answer = async (): Promise<string> => {
    const { collection } = await reading.live('listings');
    const entries = await reading.published(collection, [id]);
    return entries.get(id)?.view.title.en ?? 'nothing';
  };
  try {
    return await deadline.within(answer());
  } catch (thrown) {
    if (thrown instanceof RetryableError) return 'refused';
    throw thrown;
  }
}

test('a request that begins just before its alias runs out is refused before the build of before goes on', async () => {
  const { reading, stores } = openInstance();
  await vi.advanceTimersByTimeAsync(1);
  void ask(reading);
  await vi.advanceTimersByTimeAsync(0);
  stores.live = AFTER;
  await vi.advanceTimersByTimeAsync(ALIAS_MS - 1);
  stores.documentMs = READERS_MS - ALIAS_MS + 1;
  const asked = ask(reading, 'not asked for yet');
  await vi.advanceTimersByTimeAsync(READERS_MS - ALIAS_MS);
  stores.title = 'new';
  await vi.advanceTimersByTimeAsync(1000);
  expect(await asked).not.toBe('new');
});

test('an alias that took long to be read is not given to a request that came meanwhile', async () => {
  const { reading, stores } = openInstance();
  stores.aliasMs = STORE_LIMIT_MS - 100;
  const first = ask(reading);
  await vi.advanceTimersByTimeAsync(1);
  stores.live = AFTER;
  await vi.advanceTimersByTimeAsync(STORE_LIMIT_MS - 200);
  stores.aliasMs = 0;
  stores.documentMs = STORE_LIMIT_MS - 500;
  const asked = ask(reading);
  await vi.advanceTimersByTimeAsync(READERS_MS - STORE_LIMIT_MS);
  stores.title = 'new';
  await vi.advanceTimersByTimeAsync(5000);
  await first;
  expect(await asked).toBe('old');
});
