import { rmSync, writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { behindSinceByLease, entriesOf, INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

const bench = forEachTest(openFeedBench);

describe('where search fails', () => {
  /** Every call of the engine fails until it is fixed. */
  function broken(thrown: unknown) {
    const state = { isBroken: true, calls: 0 };
    const search = new Proxy(bench.search, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name);
        if (typeof found !== 'function') return found;
        return (...args: unknown[]): unknown => {
          if (!state.isBroken) return Reflect.apply(found, target, args);
          state.calls += 1;
          throw thrown;
        };
      },
    });
    return { state, search };
  }

  test.each([
    { how: 'for a while', thrown: new RetryableError('it is down'), ok: true },
    { how: 'until somebody acts', thrown: new PermanentError('it is damaged'), ok: true },
    { how: 'by a fault of ours', thrown: new TypeError('it is undefined'), ok: false },
  ])('$how, it says so, tries again at most once a second, and heals by itself', async ({ thrown, ok }) => {
    await bench.fold(['a', 1, 'one']);
    const { state, search } = broken(thrown);
    const feed = bench.feed({ search });
    await expect.poll(() => state.calls).toBeGreaterThan(2);
    expect(feed.latest()).toMatchObject({ ok, detail: expect.stringContaining(thrown.message) as string });
    const pauses = bench.clock.slept.filter((ms) => ms !== 100);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
    state.isBroken = false;
    await bench.fed();
    await expect
      .poll(() => feed.latest())
      .toMatchObject({ ok: true, detail: `${INDEX}: 0 waiting, 0 refused` });
    expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
  });

  test('documents go on, and the lease says by the store’s clock since when search has been behind', async () => {
    const { state, search } = broken(new RetryableError('it is down'));
    // The clock that measures within a process begins wherever it likes.
    const clock = overriding(bench.clock, { monotonic: () => bench.clock.monotonic() - 700_000 });
    const feed = bench.feed({ search, clock });
    await expect.poll(() => feed.latest().detail).toContain('it is down');
    await bench.fold(['a', 1, 'one']);
    await expect.poll(() => behindSinceByLease(bench)).toBe(1_000_000);
    state.isBroken = false;
    await bench.fed();
    await expect.poll(() => behindSinceByLease(bench)).toBeNull();
  });

  test('a damaged file heals once it is deleted, without a restart', async () => {
    await bench.fold(['a', 1, 'one']);
    writeFileSync(bench.searchPath, 'This is no database. '.repeat(500));
    const feed = bench.feed();
    await expect.poll(() => feed.latest().detail).toContain('is damaged or is not a database. Delete it');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${bench.searchPath}${suffix}`, { force: true });
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
  });
});
