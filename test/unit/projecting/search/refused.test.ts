import { describe, expect, test } from 'vitest';

import type { Search } from '../../../../src/stores/search/port.ts';
import { entriesOf, INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

const bench = forEachTest(openFeedBench);

/** An engine that refuses every batch with a note that it has something against, and counts what it is asked. */
function refusing(isRefused: (words: readonly string[]) => boolean) {
  const asked = { puts: 0 };
  const search: Search = overriding(bench.search, {
    put: async (index, entries) => {
      asked.puts += 1;
      const bad = entries.find(({ names }) => isRefused(names));
      if (bad) return { outcome: 'failed', reason: `${bad.id} is\n refused` };
      return await bench.search.put(index, entries);
    },
  });
  return { asked, search };
}

const isBad = (words: readonly string[]): boolean => words.includes('bad');

describe('an entry that the engine refuses', () => {
  test.each([0, 124, 125, 249, 613, 999])(
    'as number %i of 1,000 is found by at most 11 more calls, and all others are searchable',
    async (place) => {
      const ids = Array.from({ length: 1000 }, (_, at) => `n${String(at).padStart(3, '0')}`);
      await bench.fold(...ids.map((id, at) => [id, 1, at === place ? 'bad' : 'good'] as const));
      const { asked, search } = refusing(isBad);
      bench.feed({ search });
      await bench.fed();
      expect(Object.keys(await bench.held())).toHaveLength(999);
      expect(await bench.marks()).toEqual({ [ids[place] ?? '']: 'refused' });
      expect(asked.puts).toBeLessThanOrEqual(4 + 11);
    },
  );

  test('is marked with the reason on one line, counted, and out of the index with what it said before', async () => {
    const { search } = refusing(isBad);
    await bench.fold(['a', 1, 'good'], ['b', 1, 'good']);
    const feed = bench.feed({ search });
    await bench.fed();
    await bench.fold(['a', 2, 'bad'], ['b', 2, 'better']);
    await bench.fed();
    expect((await bench.stored('a'))?.body.dirty).toEqual({ mark: 'refused', reason: 'a is refused' });
    expect(await bench.held()).toEqual(entriesOf({ b: 'better' }));
    await expect.poll(() => feed.latest().counts).toEqual({ waiting: 0, refused: 1 });
  });

  test('is put as soon as it says something else', async () => {
    const { search } = refusing(isBad);
    await bench.fold(['a', 1, 'bad'], ['b', 1, 'good']);
    bench.feed({ search });
    await bench.fed();
    await bench.fold(['a', 2, 'good']);
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'good', b: 'good' }));
    expect(await bench.marks()).toEqual({});
  });

  test('is tried again by the next feeder, whose engine may know better', async () => {
    await bench.fold(['a', 1, 'bad'], ['b', 1, 'good']);
    const feed = bench.feed({ search: refusing(isBad).search });
    await bench.fed();
    await feed[Symbol.asyncDispose]();
    bench.feed();
    await expect.poll(() => bench.held()).toEqual(entriesOf({ a: 'bad', b: 'good' }));
    await bench.fed();
  });

  test('is tried again after the next sweep: the engine may only have been unwell', async () => {
    let isUnwell = true;
    const { search } = refusing((words) => isUnwell && isBad(words));
    await bench.fold(['a', 1, 'bad'], ['b', 1, 'good']);
    bench.feed({ search });
    await bench.fed();
    await expect.poll(() => bench.marks()).toEqual({ a: 'refused' });
    // The sweep of the beginning is over: nothing is left to do.
    await expect.poll(() => bench.clock.slept).toContain(100);
    isUnwell = false;
    bench.clock.time += 600_000;
    await expect.poll(() => bench.held()).toEqual(entriesOf({ a: 'bad', b: 'good' }));
    await bench.fed();
  });

  test('that changes while it is looked for is not refused for what it said before', async () => {
    await bench.fold(['a', 1, 'bad'], ['b', 1, 'good']);
    const { asked, search } = refusing(isBad);
    const later: string[] = [];
    const changing = overriding(search, {
      put: async (index, entries) => {
        const applied = await search.put(index, entries);
        if (asked.puts === 1) await bench.fold(['a', 2, 'fine']);
        else later.push(...entries.flatMap(({ names }) => names));
        return applied;
      },
    });
    bench.feed({ search: changing });
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'fine', b: 'good' }));
    expect(await bench.marks()).toEqual({});
    expect(later).not.toContain('bad');
  });
});

test('an engine that refuses everything is itself at fault: no document is, and all are put once it is fixed', async () => {
  let isBroken = true;
  const { search } = refusing(() => isBroken);
  await bench.fold(['a', 1, 'one'], ['b', 1, 'one'], ['c', 1, 'one']);
  const feed = bench.feed({ search });
  await expect.poll(() => feed.latest().detail).toContain('The search engine refuses everything: ');
  expect(await bench.marks()).toEqual({ a: 'put', b: 'put', c: 'put' });
  isBroken = false;
  await bench.fed();
  expect(await bench.held()).toEqual(entriesOf({ a: 'one', b: 'one', c: 'one' }));
  expect(feed.latest().ok).toBe(true);
});

test('a removal that the engine refuses is no removal: the mark stays, and so does the exclusion', async () => {
  await bench.fold(['a', 1, 'one']);
  const remove: Search['remove'] = async () => ({ outcome: 'failed', reason: 'read-only' });
  const feed = bench.feed({ search: overriding(bench.search, { remove }) });
  await bench.fed();
  await bench.fold(['a', 2, null]);
  await expect.poll(() => feed.latest().detail).toContain('refuses to remove entries: read-only');
  expect(await bench.marks()).toEqual({ a: 'remove' });
  expect(Object.keys(await bench.held())).toEqual(['a']);
  expect(feed.latest().detail).toContain(INDEX);
});
