import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { createPageSize } from '../../../../src/projecting/search/page-size.ts';
import { sendWaiting } from '../../../../src/projecting/search/sending.ts';
import type { Documents, Query } from '../../../../src/stores/documents/port.ts';
import { INDEX, openFeedBench, type FeedBench } from '../../../support/feed-bench.ts';
import { overriding } from '../../../support/overriding.ts';

/** One more than a page has. */
const NOTES = Array.from({ length: 4001 }, (_, at) => `n${String(at).padStart(4, '0')}`);
const STALE_MS = 10_000;

let bench: FeedBench;
beforeEach(async () => {
  bench = await openFeedBench();
  await bench.search.declare(INDEX);
  await bench.fold(...NOTES.map((id) => [id, 1, 'one'] as const));
});
afterEach(() => bench[Symbol.asyncDispose]());

/** The documents, which tell before each page of puts that it is read. */
function watched(before: () => Promise<void>): Documents {
  return overriding<Documents>(bench.documents, {
    find: async <Body>(collection: string, query: Query) => {
      if (query.where['dirty.mark'] === 'put') await before();
      return await bench.documents.find<Body>(collection, query);
    },
  });
}

describe('a page of waiting documents', () => {
  test('is sent, and loses its marks, before the next one is read', async () => {
    const marked: number[] = [];
    const waiting = watched(async () => void marked.push(Object.keys(await bench.marks()).length));
    const pages = sendWaiting({ ...bench.feeding, documents: waiting });
    for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    expect(marked).toEqual([NOTES.length, 1]);
    expect(await bench.marks()).toEqual({});
    expect(Object.keys(await bench.held())).toEqual(NOTES);
  });

  test('that takes too long to be read is read again in a small one', async () => {
    const limits: number[] = [];
    const documents = overriding<Documents>(bench.documents, {
      find: async <Body>(collection: string, query: Query) => {
        if (query.where['dirty.mark'] === 'put') limits.push(query.limit);
        if (limits.length === 1) bench.clock.time += STALE_MS;
        return await bench.documents.find<Body>(collection, query);
      },
    });
    const pages = sendWaiting({ ...bench.feeding, documents, pages: createPageSize() });
    await pages.next();
    expect(limits.slice(0, 2)).toEqual([4000, 250]);
    await pages.return(0);
  });

  test.each([
    ['', 0],
    [', also of the last page', 4000],
  ])('whose marks could not be taken away is not done: what failed is told%s', async (_, at) => {
    const documents = overriding(bench.documents, {
      write: async (collection, writes) => {
        if (writes.some(({ id }) => id === NOTES[at])) throw new PermanentError('no marks');
        return await bench.documents.write(collection, writes);
      },
    });
    const run = async (): Promise<void> => {
      const pages = sendWaiting({ ...bench.feeding, documents });
      for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    };
    await expect(run()).rejects.toThrow('no marks');
    expect(Object.keys(await bench.marks())).toContain(NOTES[at]);
  });

  test('is put as a whole, until the engine refuses something', async () => {
    const sizes: number[] = [];
    const search = overriding(bench.search, {
      put: async (index, entries) => {
        sizes.push(entries.length);
        const isRefused = entries.some(({ id }) => id === NOTES[7] || id === NOTES[1500]);
        return isRefused ? { outcome: 'failed', reason: 'no' } : await bench.search.put(index, entries);
      },
    });
    const feed = bench.feed({ search });
    await expect.poll(() => feed.latest().counts, { timeout: 10_000 }).toEqual({ waiting: 0, refused: 2 });
    expect(sizes[0]).toBe(4000);
    // What the search for the first one has left begins with a small put.
    expect(sizes).toContain(250);
  });
});
