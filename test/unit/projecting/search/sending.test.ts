import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { createPageSize, type PageSize } from '../../../../src/projecting/search/page-size.ts';
import { sendWaiting } from '../../../../src/projecting/search/sending.ts';
import type { Documents, Query } from '../../../../src/stores/documents/port.ts';
import type { SearchEntry } from '../../../../src/stores/search/port.ts';
import { INDEX, openFeedBench, type FeedBench } from '../../../support/feed-bench.ts';
import { overriding } from '../../../support/overriding.ts';

/** One more than two pages have. */
const NOTES = Array.from({ length: 2001 }, (_, at) => `n${String(at).padStart(4, '0')}`);
const STALE_MS = 10_000;

let bench: FeedBench;
beforeEach(async () => {
  bench = await openFeedBench();
  await bench.search.declare(INDEX);
  await bench.fold(...NOTES.map((id) => [id, 1, 'one'] as const));
});
afterEach(() => bench[Symbol.asyncDispose]());

/** The documents, which tell before each page of puts how many there were before it. */
function watched(before: (page: number) => void): Documents {
  let pages = 0;
  return overriding<Documents>(bench.documents, {
    find: async <Body>(collection: string, query: Query) => {
      if (query.where['dirty.mark'] === 'put') before(pages++);
      return await bench.documents.find<Body>(collection, query);
    },
  });
}

describe('a page of waiting documents', () => {
  test('is read while the one before it is sent', async () => {
    let [read, readAtFirstPut] = [0, 0];
    const documents = watched(() => (read += 1));
    const search = overriding(bench.search, {
      put: async (index, entries) => {
        const applied = await bench.search.put(index, entries);
        readAtFirstPut ||= read;
        return applied;
      },
    });
    const pages = sendWaiting({ ...bench.feeding, documents, search });
    await pages.next();
    expect(readAtFirstPut).toBe(2);
    for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    expect(read).toBe(3);
    expect(await bench.marks()).toEqual({});
    expect(Object.keys(await bench.held())).toEqual(NOTES);
  });

  test('is read again where it was read too long ago to be sent', async () => {
    let read = 0;
    const documents = watched(() => (read += 1));
    const sent: string[] = [];
    const search = overriding(bench.search, {
      put: (index, entries) => {
        sent.push(...entries.map(({ id }) => id));
        return bench.search.put(index, entries);
      },
    });
    const pages = sendWaiting({ ...bench.feeding, documents, search });
    await pages.next();
    await bench.fold(['n1000', 2, null]);
    bench.clock.time += STALE_MS;
    await pages.next();
    // The first of the second page: as it is by now, it is no entry.
    expect(sent).toHaveLength(2000);
    expect(sent).not.toContain('n1000');
    expect(read).toBe(3);
  });

  test.each([
    [500, 1000],
    [499, 499],
  ])(
    'that is made ahead while pages shrink to %i has %i documents: twice as many are too much',
    async (wanted, put) => {
      let documents = 1000;
      const shrinking: PageSize = {
        isOverlapped: true,
        get documents() {
          return documents;
        },
        entries: 1000,
        took: () => {
          documents = wanted;
        },
        failed: () => undefined,
      };
      const puts: number[] = [];
      const search = overriding(bench.search, {
        put: async (index, entries) => {
          puts.push(entries.length);
          return await bench.search.put(index, entries);
        },
      });
      const pages = sendWaiting({ ...bench.feeding, search, pages: shrinking });
      await pages.next();
      await pages.next();
      expect(puts).toEqual([1000, put]);
      for (let step = await pages.next(); step.done !== true;) step = await pages.next();
      expect(await bench.marks()).toEqual({});
    },
  );

  test('that takes too long to be read is read again in a small one', async () => {
    const limits: number[] = [];
    const documents = overriding<Documents>(bench.documents, {
      find: async <Body>(collection: string, query: Query) => {
        if (query.where['dirty.mark'] === 'put') limits.push(query.limit);
        if (limits.length === 1) bench.clock.time += STALE_MS;
        return await bench.documents.find<Body>(collection, query);
      },
    });
    const pages = sendWaiting({ ...bench.feeding, documents, pages: createPageSize(8000) });
    await pages.next();
    expect(limits.slice(0, 2)).toEqual([4000, 1000]);
    await pages.return(0);
  });

  test('is prepared by the engine before its turn comes, as the very entries that are put', async () => {
    const prepared: SearchEntry[] = [];
    const sent: SearchEntry[] = [];
    const search = overriding(bench.search, {
      prepare: async (entries) => void prepared.push(...entries),
      put: async (index, entries) => {
        sent.push(...entries);
        return await bench.search.put(index, entries);
      },
    });
    const pages = sendWaiting({ ...bench.feeding, search });
    await pages.next();
    expect([sent.length, prepared.length]).toEqual([1000, 1000]);
    for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    const ofLaterPages = sent.slice(1000);
    expect(prepared).toHaveLength(ofLaterPages.length);
    for (const [at, entry] of ofLaterPages.entries()) expect(entry).toBe(prepared[at]);
  });

  test('whose engine could not prepare it is put all the same', async () => {
    const search = overriding(bench.search, { prepare: () => Promise.reject(new Error('not prepared')) });
    const pages = sendWaiting({ ...bench.feeding, search });
    for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    expect(await bench.marks()).toEqual({});
  });

  test('that could not be read ahead is read when its turn comes, and what fails then is told', async () => {
    const documents = watched((page) => {
      if (page === 1 || page === 2) throw new RetryableError(`page ${page}`);
    });
    const pages = sendWaiting({ ...bench.feeding, documents });
    expect((await pages.next()).done).toBe(false);
    await expect.poll(async () => Object.keys(await bench.marks())).toEqual(NOTES.slice(1000));
    await expect(pages.next()).rejects.toThrow('page 2');
  });

  test('keeps its marks until the index has it, and loses them while the next one is put', async () => {
    let puts = 0;
    const { promise: secondPage, resolve: begin } = Promise.withResolvers<void>();
    const search = overriding(bench.search, {
      put: async (index, entries) => {
        puts += 1;
        if (entries[0]?.id === NOTES[1000]) begin();
        return await bench.search.put(index, entries);
      },
    });
    const documents = overriding(bench.documents, {
      write: async (collection, writes) => {
        expect(puts).toBeGreaterThanOrEqual(4);
        await secondPage;
        return await bench.documents.write(collection, writes);
      },
    });
    const pages = sendWaiting({ ...bench.feeding, documents, search, pages: createPageSize(1000) });
    for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    expect(await bench.marks()).toEqual({});
  });

  test('that the index has loses its marks, too, where the pass ends before the next one', async () => {
    const pages = sendWaiting({ ...bench.feeding, pages: createPageSize(1000) });
    await pages.next();
    await pages.return(0);
    expect(Object.keys(await bench.held())).toEqual(NOTES.slice(0, 1000));
    expect(Object.keys(await bench.marks())).toEqual(NOTES.slice(1000));
  });

  test.each([
    ['', 0, 1000],
    [', also of the last page', 2000, 1000],
    [', also by a quick engine', 2000, 250],
  ])('whose marks could not be taken away is not done: what failed is told%s', async (_, at, most) => {
    const documents = overriding(bench.documents, {
      write: async (collection, writes) => {
        if (writes.some(({ id }) => id === NOTES[at])) throw new PermanentError('no marks');
        return await bench.documents.write(collection, writes);
      },
    });
    const run = async (): Promise<void> => {
      const pages = sendWaiting({ ...bench.feeding, documents, pages: createPageSize(most) });
      for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    };
    await expect(run()).rejects.toThrow('no marks');
    expect(Object.keys(await bench.marks())).toContain(NOTES[at]);
  });

  test('is put as a whole where the engine does best with that, until it refuses something', async () => {
    const sizes: number[] = [];
    const search = overriding(bench.search, {
      largestPut: 8000,
      put: async (index, entries) => {
        sizes.push(entries.length);
        const isRefused = entries.some(({ id }) => id === NOTES[7] || id === NOTES[1500]);
        return isRefused ? { outcome: 'failed', reason: 'no' } : await bench.search.put(index, entries);
      },
    });
    const feed = bench.feed({ search });
    await expect.poll(() => feed.latest().counts, { timeout: 10_000 }).toEqual({ waiting: 0, refused: 2 });
    expect(sizes[0]).toBe(2001);
    // What the search for the first one has left begins with small puts.
    expect(sizes.filter((size) => size === 250).length).toBeGreaterThanOrEqual(3);
  });
});
