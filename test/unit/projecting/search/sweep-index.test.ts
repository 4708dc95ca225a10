import { rmSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { isBackfilling } from '../../../../src/stores/feed-lease.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import { noteEntry } from '../../../support/fake-projection.ts';
import { entriesOf, INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

/** What befalls an index behind everybody's back, and how it is noticed. */

const LOOK_MS = 5000;
const SWEEP_MS = 600_000;

const bench = forEachTest(openFeedBench);

const THREE = { a: 'one', b: 'two', d: 'three' };

/** Three notes in the index, one that is not published, and a feeder that has nothing to do. */
async function settled(search: Search = bench.search): Promise<void> {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'two'], ['c', 1, null], ['d', 1, 'three']);
  bench.feed({ search });
  await bench.fed();
  expect(await bench.held()).toEqual(entriesOf(THREE));
  // The sweep after the first minute is behind it as well.
  bench.clock.time += 61_000;
  await idle();
}

async function empty(): Promise<void> {
  await bench.search.remove(INDEX, ['a', 'b', 'd']);
  await bench.search.seal(INDEX, 'other', (await bench.search.seals(INDEX)) ?? []);
}

/** Resolves when the feeder has gone through all its tasks and found nothing to do. */
async function idle(): Promise<void> {
  const before = bench.clock.slept.length;
  // The first rest may follow what was under way already; others, who keep the lease, sleep by the same clock.
  const rests = (): number => bench.clock.slept.slice(before).filter((ms) => ms === 100).length;
  await expect.poll(rests).toBeGreaterThan(1);
}

test.each([
  { what: 'that is lost', lose: () => bench.search.drop(INDEX) },
  { what: 'that is emptied, of its seals, too', lose: empty },
  { what: 'whose file is deleted', lose: async () => rmSync(bench.searchPath) },
])('a look every 5 s finds an index $what, and fills it again', async ({ lose }) => {
  await settled();
  await lose();
  await idle();
  expect(await bench.held()).toEqual({});
  bench.clock.time += LOOK_MS;
  await expect.poll(() => bench.held()).toEqual(entriesOf(THREE));
  await bench.fed();
  expect(await bench.marks()).toEqual({});
});

describe('a sweep every 10 minutes finds', () => {
  test.each([
    { what: 'a missing entry', damage: () => bench.search.remove(INDEX, ['b']) },
    { what: 'another entry', damage: () => bench.search.put(INDEX, [noteEntry('b', 'older')]) },
    {
      what: 'an entry that readers must not see',
      damage: () => bench.search.put(INDEX, [noteEntry('c', 'x')]),
    },
    {
      what: 'an entry between, that has no document',
      damage: () => bench.search.put(INDEX, [noteEntry('bb', 'x')]),
    },
    {
      what: 'entries at the end, that have no document',
      damage: () =>
        bench.search.put(
          INDEX,
          ['x', 'y'].map((id) => noteEntry(id, 'x')),
        ),
    },
  ])('$what, and mends it', async ({ damage }) => {
    await settled();
    await damage();
    bench.clock.time += LOOK_MS;
    await idle();
    expect(await bench.held()).not.toEqual(entriesOf(THREE));
    bench.clock.time += SWEEP_MS;
    await expect.poll(() => bench.held()).toEqual(entriesOf(THREE));
    await bench.fed();
  });

  test('nothing where nothing differs: no document is written', async () => {
    await settled();
    const versions = () => bench.documents.versions(INDEX, ['a', 'b', 'c', 'd']);
    const before = await versions();
    bench.clock.time += SWEEP_MS;
    await idle();
    expect(await versions()).toEqual(before);
  });
});

test('an index that was lost is being backfilled, and so not asked, until it has been told of everything', async () => {
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const search = overriding(bench.search, {
    put: async (index, entries) => {
      await gate.promise;
      return await bench.search.put(index, entries);
    },
  });
  const backfilling = () => isBackfilling(bench.documents, INDEX);
  await settled(search);
  expect(await backfilling()).toBe(false);
  gate = Promise.withResolvers();
  await bench.search.drop(INDEX);
  bench.clock.time += LOOK_MS;
  await expect.poll(() => bench.search.indexes()).toEqual([INDEX]);
  expect(await backfilling()).toBe(true);
  await expect.poll(() => bench.marks()).toEqual({ a: 'put', b: 'put', d: 'put' });
  expect(await backfilling()).toBe(true);
  gate.resolve();
  await expect.poll(backfilling).toBe(false);
  expect(await bench.held()).toEqual(entriesOf(THREE));
});

test('a sweep follows the start at once, and once more when what was under way then has landed', async () => {
  let contents = 0;
  const search = overriding(bench.search, {
    contents: (index) => ((contents += 1), bench.search.contents(index)),
  });
  bench.feed({ search });
  await idle();
  expect(contents).toBe(1);
  bench.clock.time += 61_000;
  await idle();
  expect(contents).toBe(2);
});
