import { describe, expect, test } from 'vitest';

import { type Documents, newVersion } from '../../../../src/stores/documents/port.ts';
import { isBackfilling, FEED_LEASES, readFeedLease } from '../../../../src/stores/feed-lease.ts';
import { entriesOf, INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

const bench = forEachTest(openFeedBench);

const LOOK_MS = 5000;
const LEASE_MS = 6000;

const backfilling = () => isBackfilling(bench.documents, INDEX);
const named = async () => (await readFeedLease(bench.documents, INDEX))?.seal ?? '';

/** Whether readers would believe the index now. */
async function isBelieved(): Promise<boolean> {
  const query = { q: 'one', filter: {}, exclude: [], offset: 0, limit: 50 };
  const { seals } = await bench.search.query(INDEX, query);
  return seals.includes(await named());
}

/** Waits while time passes. */
async function passing(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const look = async (): Promise<boolean> => {
    bench.clock.time += 500;
    return await isSo();
  };
  await expect.poll(look).toBe(true);
}

async function backfilled(): Promise<void> {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
  bench.feed();
  await expect.poll(backfilling).toBe(false);
}

describe('an index', () => {
  test('that was restored from a backup of before its last changes is not believed, and is backfilled', async () => {
    await backfilled();
    const before = (await bench.search.seals(INDEX)) ?? [];
    await bench.fold(['a', 2, 'two']);
    await bench.fed();
    await passing(async () => !before.includes(await named()));
    await bench.search.drop(INDEX);
    await bench.search.declare(INDEX);
    for (const seal of before) await bench.search.seal(INDEX, seal, []);
    expect(await isBelieved()).toBe(false);
    bench.clock.time += LOOK_MS;
    await expect.poll(() => bench.held()).toEqual(entriesOf({ a: 'two', b: 'one' }));
    await expect.poll(isBelieved).toBe(true);
  });

  test('that takes the place of another one while that is sealed again is not vouched for, and is backfilled', async () => {
    let restoreAt = Number.POSITIVE_INFINITY;
    let seals = 0;
    const search = overriding(bench.search, {
      seal: async (index, seal, without) => {
        seals += 1;
        if (seals === restoreAt) {
          await bench.search.drop(index);
          await bench.search.declare(index);
        }
        await bench.search.seal(index, seal, without);
      },
    });
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
    bench.feed({ search });
    await expect.poll(backfilling).toBe(false);
    await expect.poll(() => bench.clock.slept).toContain(100);
    restoreAt = seals + 1;
    await bench.fold(['a', 2, 'two']);
    await passing(() => seals >= restoreAt);
    await expect.poll(() => bench.held()).toEqual(entriesOf({ a: 'two', b: 'one' }));
    await expect.poll(isBelieved).toBe(true);
  });

  test('that changes is sealed again every few seconds, is believed throughout, and keeps no seal for long', async () => {
    await backfilled();
    const seen = new Set<string>();
    for (let revision = 2; revision < 8; revision += 1) {
      const last = await named();
      seen.add(last);
      await bench.fold(['a', revision, `text ${revision}`]);
      await passing(async () => (await named()) !== last);
      expect(await isBelieved()).toBe(true);
    }
    expect(seen.size).toBe(6);
    expect((await bench.search.seals(INDEX))?.length).toBeLessThanOrEqual(2);
  });
});

test('a feeder that slept over its lease when it found the index lost says nothing of the index any more', async () => {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'two']);
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  const sleeping = overriding(bench.search, {
    // It finds that there is no index, and stands still.
    seals: async (index) => {
      const seals = await bench.search.seals(index);
      if (!isFirst) return seals;
      isFirst = false;
      asked.resolve();
      await gate.promise;
      return seals;
    },
  });
  let isAwake = false;
  const said: string[] = [];
  const documents = overriding<Documents>(bench.documents, {
    write: async (collection, writes, options) => {
      if (isAwake) said.push(collection);
      return await bench.documents.write(collection, writes, options);
    },
  });
  const first = bench.feed({ search: sleeping, documents });
  await asked.promise;
  bench.clock.time += LEASE_MS + 1000;
  const second = bench.feed();
  await expect.poll(async () => (await readFeedLease(bench.documents, INDEX))?.owner).toBe(second.owner);
  await expect.poll(backfilling).toBe(false);
  isAwake = true;
  gate.resolve();
  await expect.poll(() => first.latest().isFeeding).toBe(false);
  expect(said).toEqual([]);
  await expect.poll(isBelieved).toBe(true);
  expect(second.latest().isFeeding).toBe(true);
});

test('a lease that ends later than anybody could have said is of a clock that was put back: it is free', async () => {
  await bench.documents.declare(FEED_LEASES);
  const lost = {
    owner: 'gone',
    until: bench.clock.time + 3_600_000,
    behind_since: null,
    trouble: null,
    seal: null,
  };
  await bench.documents.write(FEED_LEASES.name, [
    { id: INDEX, read: null, version: newVersion(), body: lost },
  ]);
  await bench.fold(['a', 1, 'one']);
  const feed = bench.feed();
  await expect.poll(() => feed.latest().isFeeding).toBe(true);
  await expect.poll(backfilling).toBe(false);
});
