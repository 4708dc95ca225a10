import { afterEach, describe, expect, test, vi } from 'vitest';

import type { ConfirmedDocument } from '../../../../src/api/reading/document-cache.ts';
import { filterOf } from '../../../../src/api/reading/entry-filter.ts';
import { buildTaxonomy } from '../../../../src/api/reading/build-taxonomy.ts';
import { createHitPages, type HitPagesOptions } from '../../../../src/api/reading/hit-page-cache.ts';
import { createConfirmedLists } from '../../../../src/api/reading/listing-queries.ts';
import type { PublishedListing } from '../../../../src/api/reading/listing-queries.ts';
import type { ReadDocuments } from '../../../../src/stores/time-limit.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import type { SearchQuery } from '../../../../src/stores/search/port.ts';
import { fakeClock } from '../../../support/test-clock.ts';

const TAXONOMY = { ...buildTaxonomy([]), digest: '' };
/** Milliseconds that a query takes here. */
const COST_MS = 20;

afterEach(() => void vi.restoreAllMocks());

/** An index of channels `a` to `e`, fixed; marks, documents and the clock are for the test to change. */
function setUp() {
  const clock = fakeClock(1_000_000);
  // What something costs is measured by the processor's clock.
  vi.spyOn(performance, 'now').mockImplementation(() => clock.time);
  const removed: string[] = [];
  const entries = new Map<string, PublishedListing>();
  const asked: SearchQuery[] = [];
  const find = async (_collection: string, { where }: { readonly where: object }) => {
    expect(where).toEqual({ 'dirty.mark': { in: ['remove', 'confirm'] } });
    return { documents: removed.map((id) => ({ id, version: '', body: {} })), next: null };
  };
  /** What the lease names, and what the index has. */
  const sealed: { lease: string | null; index: readonly string[] } = { lease: 's1', index: ['s1'] };
  const cost = { ofLease: 0, ofQuery: (): unknown => null };
  /** What the lease says of the content of the index. */
  const said: { content_version: string | null } = { content_version: null };
  const get = async (_collection: string, [id]: readonly string[]) => {
    clock.time += cost.ofLease;
    return new Map([[id, { id, version: '', body: { seal: sealed.lease, ...said } }]]);
  };
  const options: HitPagesOptions = {
    lists: createConfirmedLists(),
    search: {
      query: async (_index, query) => {
        asked.push(query);
        cost.ofQuery();
        clock.time += COST_MS;
        const ids = ['a', 'b', 'c', 'd', 'e'].filter((id) => !query.exclude.includes(id));
        const page = ids.slice(query.offset, query.offset + query.limit);
        return { ids: page, total: ids.length, totalIsExact: true, seals: sealed.index };
      },
    },
    // Only what the outbox asks, and the lease of the index; the other methods are never called here.
    documents: { find, get } as unknown as ReadDocuments,
    published: async (_collection, ids) => new Map([...entries].filter(([id]) => ids.includes(id))),
    clock,
    confirmMs: 1,
    storeLimitMs: 1000,
  };
  const pages = createHitPages(options);
  const place = (page: number, kind: 'channel' | null = null) => {
    const filter = filterOf({ kind, category: null }, TAXONOMY);
    return {
      collection: 'c',
      index: 'i',
      keyId: 'k_one',
      q: 'q',
      filter,
      taxonomy: TAXONOMY,
      page,
      limit: 2,
    };
  };
  return { clock, removed, entries, asked, sealed, said, cost, pages, place };
}

/** A bot that the index takes for a channel. */
function bot(id: string, version: string): PublishedListing {
  // Only what decides about the filter.
  return { id, version, view: { kind: 'bot', category: null } } as ConfirmedDocument<never>;
}

describe('a page of hits', () => {
  test('is asked for once while it is fresh, and anew as soon as an entry has been removed', async () => {
    const { clock, removed, asked, pages, place } = setUp();
    expect(await pages.hits(place(1))).toMatchObject({ ids: ['a', 'b'], total: 5 });
    // Between 4 and 20 times its cost: old enough to be renewed, too young to be computed anew without a reason.
    clock.time += 6 * COST_MS;
    await pages.hits(place(1));
    expect(asked).toHaveLength(1);
    removed.push('e');
    // Longer than what was read of removals may be kept, also where that took a while.
    clock.time += 12 * COST_MS;
    expect(await pages.hits(place(1))).toMatchObject({ ids: ['a', 'b'], total: 4 });
    expect(asked.at(-1)?.exclude).toEqual(['e']);
  });

  test('that a reader contradicts is asked for at once without what was dropped, and so are its neighbours', async () => {
    const { asked, pages, place, entries } = setUp();
    const page = await pages.hits(place(1, 'channel'));
    entries.set('a', bot('a', '1'));
    const dropped = new Map([['a', bot('a', '1')]]);
    const both = [pages.hitsWithout(dropped, page, place(1, 'channel'))];
    both.push(pages.hitsWithout(dropped, page, place(1, 'channel')));
    for (const without of await Promise.all(both))
      expect(without).toMatchObject({ ids: ['b', 'c'], total: 4 });
    expect(asked).toHaveLength(2);
    expect((await pages.hits(place(2, 'channel'))).ids).toEqual(['d', 'e']);
    expect((await pages.hits(place(1))).ids).toEqual(['a', 'b']);
  });

  test('leaves out at most a thousand contradictions, the newest', async () => {
    const { asked, pages, place } = setUp();
    const page = await pages.hits(place(1));
    const dropped = new Map(Array.from({ length: 1500 }, (_, at) => [`gone-${at}`, null] as const));
    await pages.hitsWithout(dropped, page, place(1));
    expect(asked.at(-1)?.exclude).toHaveLength(1000);
    expect(asked.at(-1)?.exclude.at(-1)).toBe('gone-1499');
  });

  test('is not asked for again while the index is as it was, and is as soon as that has changed', async () => {
    const { clock, said, asked, removed, pages, place } = setUp();
    const later = async () => {
      clock.time += 60_000;
      await pages.hits(place(1));
      return asked.length;
    };
    said.content_version = 'one';
    expect([await later(), await later(), await later()]).toEqual([1, 1, 1]);
    said.content_version = 'two';
    expect([await later(), await later()]).toEqual([2, 2]);
    removed.push('e');
    expect([await later(), await later()]).toEqual([3, 3]);
    // As a feeder of a release that says nothing of it leaves the lease.
    said.content_version = null;
    expect([await later(), await later()]).toEqual([4, 5]);
  });

  test('is confirmed by what the lease says now, not by what it said when another page was asked for', async () => {
    const { clock, said, cost, asked, pages, place } = setUp();
    said.content_version = 'one';
    cost.ofLease = 300;
    await pages.hits(place(1));
    clock.time += 60_000;
    await pages.hits(place(2));
    said.content_version = 'two';
    clock.time += 0.5;
    await pages.hits(place(1));
    expect(asked).toHaveLength(3);
  });

  test('that is kept is not given while the index is being filled', async () => {
    const { clock, said, sealed, pages, place } = setUp();
    said.content_version = 'one';
    await pages.hits(place(1));
    sealed.lease = null;
    clock.time += 60_000;
    await expect(pages.hits(place(1))).rejects.toThrow(RetryableError);
  });

  test('is as new as the version that was known before the index was asked', async () => {
    const { clock, said, cost, asked, pages, place } = setUp();
    said.content_version = 'one';
    cost.ofQuery = () => (said.content_version = 'two');
    await pages.hits(place(1));
    clock.time += 60_000;
    await pages.hits(place(1));
    expect(asked).toHaveLength(2);
  });

  test('is not to be had while the index is being filled: a part would pass for all of it', async () => {
    const { clock, sealed, asked, pages, place } = setUp();
    sealed.lease = null;
    await expect(pages.hits(place(1))).rejects.toThrow(RetryableError);
    expect(asked).toEqual([]);
    sealed.lease = 's1';
    clock.time += 1;
    expect(await pages.hits(place(1))).toMatchObject({ total: 5 });
  });

  test.each([
    { what: 'made anew', index: [] },
    { what: 'restored from a backup', index: ['s0'] },
  ])('is not to be had from the first answer on of an index that was $what', async ({ index }) => {
    const { sealed, pages, place } = setUp();
    await pages.hits(place(1));
    sealed.index = index;
    // Another page, so that nothing is kept of it; no time passes, so that what is known of the lease is still kept.
    await expect(pages.hits(place(2))).rejects.toThrow(RetryableError);
  });
});
