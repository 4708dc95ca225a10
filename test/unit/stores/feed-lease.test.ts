import { beforeEach, expect, test } from 'vitest';

import {
  FEED_LEASES,
  readFeedLease,
  releaseFeedLease,
  takeFeedLease,
} from '../../../src/stores/feed-lease.ts';
import { INDEX, openFeedBench } from '../../support/feed-bench.ts';
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
