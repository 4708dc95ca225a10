import { describe, expect, test } from 'vitest';

import type { Clock } from '../../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { withMark } from '../../../../src/projecting/engine/outbox-marks.ts';
import { createSearchFeed } from '../../../../src/projecting/search/feed.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import { readFeedLease } from '../../../../src/stores/feed-lease.ts';
import { removals } from '../../../../src/stores/outbox.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import { noteEntry, NOTES } from '../../../support/fake-projection.ts';
import { entriesOf, INDEX, openFeedBench, type FeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

const bench = forEachTest(openFeedBench);

/** The engine, with something happening around its first put. */
function aroundFirstPut(around: (put: () => ReturnType<Search['put']>) => ReturnType<Search['put']>): Search {
  let isFirst = true;
  return overriding(bench.search, {
    put: (index, entries) => {
      const put = () => bench.search.put(index, entries);
      if (!isFirst) return put();
      isFirst = false;
      return around(put);
    },
  });
}

const contentVersion = async () => (await readFeedLease(bench.documents, INDEX))?.content_version;

async function clearMark(id: string): Promise<void> {
  const stored = await bench.stored(id);
  if (!stored) throw new Error(`no ${id}`);
  const write = { id, read: stored.version, version: newVersion(), body: withMark(stored.body, undefined) };
  await bench.documents.write(INDEX, [write]);
}

describe('a feed', () => {
  test('gives the index another content version with each change, before anything is taken for told', async () => {
    /** The versions that stood when marks were taken away. */
    const told: unknown[] = [];
    const documents = overriding(bench.documents, {
      write: async (collection, writes, options) => {
        if (collection === INDEX) told.push(await contentVersion());
        return await bench.documents.write(collection, writes, options);
      },
    });
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
    bench.feed({ documents });
    await bench.fed();
    await bench.fold(['a', 2, null]);
    await bench.fed();
    const [first, second] = told;
    expect(told).toEqual([expect.any(String), expect.any(String)]);
    expect(second).not.toBe(first);
  });

  test('gives it another content version after each sweep: what leaves no mark may have landed unseen', async () => {
    await bench.fold(['a', 1, 'one']);
    await bench.feed()[Symbol.asyncDispose]();
    await bench.search.put(INDEX, [noteEntry('stray', 'one')]);
    let late: Promise<unknown> | null = null;
    /** When a request for which no answer came has landed. */
    let version: unknown;
    const search = overriding(bench.search, {
      remove: async (index, ids) => {
        late ??= bench.search.remove(index, ids);
        throw new RetryableError('no answer');
      },
      contents: async function* (index) {
        await late;
        version ??= late && (await contentVersion());
        yield* bench.search.contents(index);
      },
    });
    bench.feed({ search });
    await expect.poll(() => version).toEqual(expect.any(String));
    expect(Object.keys(await bench.held())).toEqual(['a']);
    await expect.poll(contentVersion).not.toBe(version);
  });

  test('gives it another content version also where the answer to a change was lost', async () => {
    /** Before each put. */
    const versions: unknown[] = [];
    const search = overriding(bench.search, {
      put: async (index, entries) => {
        versions.push(await contentVersion());
        const applied = await bench.search.put(index, entries);
        if (versions.length === 1) throw new RetryableError('no answer');
        return applied;
      },
    });
    await bench.fold(['a', 1, 'one']);
    bench.feed({ search });
    await bench.fed();
    expect(versions).toEqual([null, expect.any(String)]);
  });

  test('puts what is published and removes what is not, as it comes', async () => {
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
    bench.feed();
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'one', b: 'one' }));
    await bench.fold(['a', 2, 'two'], ['b', 2, null], ['c', 1, 'one']);
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'two', c: 'one' }));
    expect(await bench.marks()).toEqual({ b: 'confirm' });
  });

  test.each([
    { end: 'succeeds', fail: false },
    { end: 'is not answered', fail: true },
  ])(
    'marks a document again that another feeder has sent meanwhile, where its own request lands later and $end',
    async ({ fail }) => {
      const landed = Promise.withResolvers<Awaited<ReturnType<FeedBench['held']>>>();
      bench.feed({
        search: aroundFirstPut(async (put) => {
          await bench.fold(['a', 2, 'two']);
          await bench.search.put(INDEX, [noteEntry('a', 'two')]);
          await clearMark('a');
          const applied = await put();
          landed.resolve(await bench.held());
          if (fail) throw new RetryableError('no answer');
          return applied;
        }),
      });
      // No sweep is under way that would fix it.
      await expect.poll(() => bench.clock.slept).toContain(100);
      await bench.fold(['a', 1, 'one']);
      expect(await landed.promise).toEqual(entriesOf({ a: 'one' }));
      await expect.poll(() => bench.held()).toEqual(entriesOf({ a: 'two' }));
      await bench.fed();
    },
  );

  test('takes a document out of the index that is gone when it has been put', async () => {
    await bench.fold(['a', 1, 'one']);
    let isPut = false;
    bench.feed({
      search: aroundFirstPut(async (put) => {
        const read = (await bench.stored('a'))?.version ?? '';
        await bench.documents.remove(INDEX, [{ id: 'a', read }]);
        const applied = await put();
        isPut = true;
        return applied;
      }),
    });
    await expect.poll(() => isPut).toBe(true);
    await expect.poll(() => bench.held()).toEqual({});
  });

  test('ends a rest at a nudge', async () => {
    const resting: AbortSignal[] = [];
    const clock: Clock = {
      now: () => bench.clock.now(),
      monotonic: () => bench.clock.monotonic(),
      sleep: async (ms, signal) => {
        if (ms !== 400 || !signal || signal.aborted) return await bench.clock.sleep(ms, signal);
        resting.push(signal);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    };
    const feed = bench.feed({ clock, bounds: { idlePollMs: 400 } });
    await expect.poll(() => resting.length).toBe(1);
    await bench.fold(['a', 1, 'one']);
    feed.nudge();
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
  });

  test('does not send what it read long ago: a feeder that has slept reads again', async () => {
    await bench.fold(['a', 1, 'old']);
    let hasSlept = false;
    const put: string[] = [];
    const documents = overriding(bench.documents, {
      find: async (collection, query) => {
        const page = await bench.documents.find<never>(collection, query);
        if (page.documents.length === 0 || hasSlept) return page;
        hasSlept = true;
        await bench.fold(['a', 2, 'new']);
        bench.clock.time += 11_000;
        return page;
      },
    });
    const search = overriding(bench.search, {
      put: (index, entries) => {
        put.push(...entries.flatMap(({ names }) => names));
        return bench.search.put(index, entries);
      },
    });
    bench.feed({ documents, search });
    await bench.fed();
    expect(put).toEqual(['a', 'new']);
  });

  test('is for read models that are searched', () => {
    expect(() => createSearchFeed({ ...bench.parts, projection: NOTES })).toThrow('no search entries');
  });
});

test('a removal stays excluded from queries until no request from before it can land, and is made once more then', async () => {
  await bench.fold(['a', 1, 'one']);
  bench.feed();
  await bench.fed();
  await bench.fold(['a', 2, null]);
  await bench.fed();
  expect(await bench.held()).toEqual({});
  await bench.search.put(INDEX, [noteEntry('a', 'one')]);
  bench.clock.time += 59_000;
  await expect.poll(() => bench.clock.pending(100)).toBe(1);
  expect(await removals(bench.documents, INDEX)).toEqual(['a']);
  bench.clock.time += 2000;
  await expect.poll(() => removals(bench.documents, INDEX)).toEqual([]);
  expect(await bench.held()).toEqual({});
});

describe('stopping', () => {
  test('a feed that is disposed finishes the request in hand', async () => {
    await bench.fold(['a', 1, 'one']);
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const feed = bench.feed({
      search: aroundFirstPut(async (put) => {
        asked.resolve();
        await gate.promise;
        return await put();
      }),
    });
    await asked.promise;
    const stopped = feed[Symbol.asyncDispose]();
    gate.resolve();
    await stopped;
    expect(await bench.marks()).toEqual({});
    expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
    expect(await readFeedLease(bench.documents, INDEX)).toMatchObject({ owner: feed.owner, until: 0 });
  });

  test('a feed that was never started, or whose stores are away, stops as well', async () => {
    await createSearchFeed(bench.parts)[Symbol.asyncDispose]();
    const declare = () => Promise.reject(new RetryableError('away'));
    const feed = bench.feed({ documents: overriding(bench.documents, { declare }) });
    await expect.poll(() => feed.latest().detail).toContain('away');
    await feed[Symbol.asyncDispose]();
  });
});
