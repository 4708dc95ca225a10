import { beforeEach, expect, test } from 'vitest';

import {
  changeContentVersion,
  changeSeal,
  FEED_LEASES,
  readFeedLease,
  releaseFeedLease,
  takeFeedLease,
} from '../../../src/stores/feed-lease.ts';
import { INDEX, openFeedBench } from '../../support/feed-bench.ts';
import { overriding } from '../../support/overriding.ts';
import { forEachTest } from '../../support/for-each-test.ts';

const bench = forEachTest(openFeedBench);
beforeEach(() => bench.documents.declare(FEED_LEASES));

const hold = (owner: string, isRenewal: boolean, behindSince: number | null = null) =>
  takeFeedLease(bench.documents, INDEX, { owner, leaseMs: 15_000, behindSince, trouble: null, isRenewal });
const take = (owner: string, behindSince: number | null = null) => hold(owner, false, behindSince);

test('a lease is held by one owner, prolonged by it alone, and free for others once it has run out', async () => {
  expect(await take('a')).toMatchObject({ outcome: 'held' });
  expect(await take('b')).toEqual({ outcome: 'taken' });
  bench.clock.time += 14_000;
  expect(await take('a')).toMatchObject({ outcome: 'held' });
  bench.clock.time += 14_000;
  expect(await take('b')).toEqual({ outcome: 'taken' });
  bench.clock.time += 1000;
  expect(await take('b')).toMatchObject({ outcome: 'held' });
  expect(await take('a')).toEqual({ outcome: 'taken' });
});

test('a lease is renewed by the one who has had it all the time, even late, and by nobody who had it before', async () => {
  const renew = (owner: string) => hold(owner, true);
  expect(await renew('a')).toEqual({ outcome: 'taken' });
  await take('a');
  bench.clock.time += 20_000;
  expect(await renew('a')).toMatchObject({ outcome: 'held', lease: { until: bench.clock.time + 15_000 } });
  bench.clock.time += 20_000;
  await take('b');
  await releaseFeedLease(bench.documents, INDEX, 'b');
  expect(await renew('a')).toEqual({ outcome: 'taken' });
  expect(await take('a')).toMatchObject({ outcome: 'held' });
});

test('a lease that is released is free at once, and only its owner can release it', async () => {
  await take('a');
  await releaseFeedLease(bench.documents, INDEX, 'b');
  expect(await take('b')).toEqual({ outcome: 'taken' });
  await releaseFeedLease(bench.documents, INDEX, 'a');
  expect(await take('b')).toMatchObject({ outcome: 'held' });
});

test('a new owner goes on with what the last one knew of being behind', async () => {
  await take('a');
  await take('a', 500);
  bench.clock.time += 15_000;
  expect(await take('b')).toMatchObject({ lease: { behind_since: 500 } });
  await take('b', null);
  expect(await readFeedLease(bench.documents, INDEX)).toMatchObject({ owner: 'b', behind_since: null });
});

const version = async () => (await readFeedLease(bench.documents, INDEX))?.content_version;
let nonces = 0;
const nonce = (): string => `nonce ${(nonces += 1)}`;
const changed = () => changeContentVersion(bench.documents, INDEX, nonce);

test('a content version stays while the lease is prolonged, and ends with each change, whoever says it', async () => {
  await take('a');
  expect(await version()).toBeNull();
  await changed();
  const first = await version();
  await hold('a', true);
  await changeSeal(bench.documents, INDEX, 'a', 'sealed');
  expect(await version()).toBe(first);
  await releaseFeedLease(bench.documents, INDEX, 'a');
  await changed();
  expect([null, first]).not.toContain(await version());
});

test('a content version is not known of an index that is filled, or whose lease another owner has taken', async () => {
  await take('a');
  await changed();
  await changeSeal(bench.documents, INDEX, 'a', 'sealed');
  await changeSeal(bench.documents, INDEX, 'a', null);
  expect(await version()).toBeNull();
  await changed();
  await releaseFeedLease(bench.documents, INDEX, 'a');
  // A release that names none may have had it last.
  await take('b');
  expect(await version()).toBeNull();
});

test('a content version that was written, and told as a conflict, does not come back over a newer one', async () => {
  await take('a');
  const versions: unknown[] = [];
  const documents = overriding(bench.documents, {
    write: async (collection, writes, options) => {
      const outcomes = await bench.documents.write(collection, writes, options);
      versions.push(await version());
      if (versions.length > 1) return outcomes;
      await changed();
      versions.push(await version());
      return ['conflict'];
    },
  });
  await changeContentVersion(documents, INDEX, nonce);
  expect(new Set(versions).size).toBe(3);
});
