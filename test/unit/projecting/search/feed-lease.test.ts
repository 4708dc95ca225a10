import { afterEach, beforeEach, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { newVersion, type Write } from '../../../../src/stores/documents/port.ts';
import { FEED_LEASES, type FeedLease, readFeedLease } from '../../../../src/stores/feed-lease.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import type { SearchFeedParts } from '../../../../src/projecting/search/feed-context.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { entriesOf, INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

/** The lease of a feeder whose put takes longer than the lease lasts: 6 s. */

const bench = forEachTest(openFeedBench);
const held: (() => void)[] = [];
beforeEach(() => bench.fold(['a', 1, 'one']));
afterEach(() => {
  // A feed ends once its put has: before the bench does.
  for (const letGo of held.splice(0)) letGo();
});

type Put = () => ReturnType<Search['put']>;

/** An engine whose first put waits until it is let go, and ends then as `ending` says. */
function holdPuts(ending: (put: Put) => ReturnType<Search['put']> = (put) => put()) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  held.push(gate.resolve);
  let isFirst = true;
  const search = overriding(bench.search, {
    put: async (index, entries) => {
      const put: Put = () => bench.search.put(index, entries);
      if (!isFirst) return await put();
      isFirst = false;
      asked.resolve();
      await gate.promise;
      return await ending(put);
    },
  });
  return { search, asked: asked.promise, letGo: gate.resolve };
}

async function change(to: Partial<FeedLease>): Promise<void> {
  const stored = (await bench.documents.get<FeedLease>(FEED_LEASES.name, [INDEX])).get(INDEX);
  if (!stored) throw new Error('there is no lease');
  const { version: read, body } = stored;
  await bench.documents.write(FEED_LEASES.name, [
    { id: INDEX, read, version: newVersion(), body: { ...body, ...to } },
  ]);
}

async function lease() {
  const found = await readFeedLease(bench.documents, INDEX);
  if (!found) throw new Error('there is no lease');
  return found;
}

/** A feeder, and how often it has slept. */
function countedFeed(parts: Partial<SearchFeedParts> = {}) {
  const sleeps = { count: 0 };
  const clock = overriding(bench.clock, {
    sleep: (...given) => {
      sleeps.count += 1;
      return bench.clock.sleep(...given);
    },
  });
  return { feed: bench.feed({ ...parts, clock }), sleeps };
}

/** Time passes, in steps after each of which these have slept twice: between the two they have seen what time it is. */
async function pass(ms: number, ...followed: readonly { readonly count: number }[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    bench.clock.time += 1000;
    const before = followed.map(({ count }) => count);
    await expect
      .poll(() => followed.every(({ count }, index) => count > Number(before[index]) + 1), { interval: 5 })
      .toBe(true);
  }
}

/** A feed whose put hangs, and one that stands by. */
async function heldBeside() {
  const { search, asked, letGo } = holdPuts();
  const { feed, sleeps } = countedFeed({ search });
  await asked;
  const { feed: other, sleeps: sleepsOfOther } = countedFeed();
  return { feed, other, letGo, sleeps, sleepsOfOther };
}

test('is prolonged beside it, so that nobody takes the index for left alone', async () => {
  const { feed, other, letGo, sleeps, sleepsOfOther } = await heldBeside();
  await pass(8000, sleeps, sleepsOfOther);
  expect((await lease()).owner).toBe(feed.owner);
  expect(other.latest().isFeeding).toBe(false);
  letGo();
  await bench.fed();
  expect(feed.latest()).toMatchObject({ ok: true, isFeeding: true });
  expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
});

test('ends where the put hangs: another one feeds, and the first one lets go when it wakes', async () => {
  const { feed, other, letGo, sleepsOfOther } = await heldBeside();
  await pass(20_000, sleepsOfOther);
  expect((await lease()).owner).toBe(other.owner);
  await bench.fed();
  letGo();
  await expect.poll(() => feed.latest().isFeeding).toBe(false);
  expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
});

test.each([
  ['done', (put: Put) => put(), []],
  [
    'failed',
    () => Promise.reject(new RetryableError('the engine is down')),
    ['warn: the search index cannot be fed'],
  ],
])(
  'that was another’s while a put was %s is taken anew: the index is filled again before readers believe it',
  async (_, ending, failures) => {
    const logged = captureLog();
    const filling = bench.feed({ logger: logged.logger });
    await expect.poll(async () => (await lease()).seal).not.toBeNull();
    await filling[Symbol.asyncDispose]();
    await bench.fold(['b', 1, 'one']);
    const { search, asked, letGo } = holdPuts(ending);
    const sealed: (readonly string[])[] = [];
    const looks = { count: 0 };
    const documents = overriding(bench.documents, {
      get: async <Body>(collection: string, ids: readonly string[]) => {
        if (collection === FEED_LEASES.name) looks.count += 1;
        return await bench.documents.get<Body>(collection, ids);
      },
      write: async <Body>(collection: string, writes: readonly Write<Body>[]) => {
        const isSealed = writes.some(({ body }) => typeof (body as Partial<FeedLease>).seal === 'string');
        if (collection === FEED_LEASES.name && isSealed) sealed.push(Object.keys(await bench.held()));
        return await bench.documents.write(collection, writes);
      },
    });
    bench.feed({ search, documents, logger: logged.logger });
    await asked;
    sealed.length = 0;
    // Another feeder had it, found an index that had lost an entry, and has begun to fill it again.
    const behindSince = bench.clock.time - 5;
    await bench.search.remove(INDEX, ['a']);
    await bench.search.seal(INDEX, sealOfAnother(), []);
    await change({ owner: 'another', until: 0, seal: null, behind_since: behindSince });
    const before = looks.count;
    bench.clock.time += 3000;
    await expect.poll(() => looks.count).toBeGreaterThan(before);
    // It is not taken back under a turn that believes in the index as it was.
    expect(await lease()).toMatchObject({ owner: 'another', seal: null, behind_since: behindSince });
    const taken = (): number => logged.said().filter((line) => line.includes('search lease taken')).length;
    expect(taken()).toBe(2);
    letGo();
    await expect.poll(taken).toBe(3);
    expect((await lease()).behind_since).toBe(behindSince);
    await expect.poll(async () => (await lease()).seal).not.toBeNull();
    expect(sealed[0]).toEqual(['a', 'b']);
    const told = logged.said().filter((line) => /cannot be fed|has failed/.test(line));
    expect(told).toEqual(failures);
    expect(await bench.held()).toEqual(entriesOf({ a: 'one', b: 'one' }));
  },
);

function sealOfAnother(): string {
  return `${Math.floor(bench.clock.time).toString(36).padStart(9, '0')}-ffffffffffffffff`;
}
