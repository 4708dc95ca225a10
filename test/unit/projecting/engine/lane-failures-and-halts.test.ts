import { describe, expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { RefusedForGood, RefusedForNow, type Documents } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';

/** Failures that nobody has a name for, and documents that a store refuses. The clock never waits. */

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
};

const engine = forEachTest(() => openEngine(1));

/** A store whose writes of documents fail as `failure` says, as long as it says something. */
function failing(failure: (ids: readonly string[], collection: string) => Error | null): Documents {
  return overriding(engine.documents, {
    write: async (collection, writes) => {
      const thrown = failure(
        writes.map(({ id }) => id),
        collection,
      );
      if (thrown) throw thrown;
      return engine.documents.write(collection, writes);
    },
  });
}

async function parkedKeys(): Promise<readonly unknown[]> {
  return (await engine.parked()).map(({ body }) => body.key);
}

test.for([
  ['permanent', new PermanentError('InternalError')],
  ['unknown', new TypeError('cannot read properties of undefined')],
] as const)(
  'a failure that nobody has a name for pauses the lane and no more (%s): it goes on by itself',
  async ([, error]) => {
    let isUnwell = true;
    const documents = failing((_, collection) => (isUnwell && collection === 'notes@1' ? error : null));
    const projector = await engine.start({ documents, clock });
    await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
    await expect.poll(() => projector.lanes()).toMatchObject([{ state: 'paused', reason: error.message }]);
    expect(await engine.checkpoint()).toMatchObject({ halted: null, position: 0 });
    isUnwell = false;
    expect(await engine.settled()).toBe('reached');
    expect(await engine.notes()).toEqual({ a: 'one', b: 'two' });
    await expect.poll(() => projector.lanes()).toMatchObject([{ state: 'running', reason: null }]);
    expect(await engine.checkpoint()).toMatchObject({ position: 2, epoch: 1 });
    expect(await parkedKeys()).toEqual([]);
  },
);

test('a halt that the store did not take is written again until it stands', async () => {
  let isAway = false;
  let failures = 0;
  const documents = failing(() => {
    if (!isAway) return null;
    failures += 1;
    return new PermanentError('InternalError');
  });
  const log = withFetch(engine.log, async (assignment, from, limits) => {
    if (from === 1 && !isAway) {
      isAway = true;
      engine.cut(2);
    }
    return assignment.fetch(from, limits);
  });
  await engine.publish(['a', 1, 'one'], ['b', 1, 'lost'], ['c', 1, 'kept']);
  const projector = await engine.start({ documents, log, clock, batchRecords: 1, passRecords: 1 });
  await expect.poll(() => projector.lanes()).toMatchObject([{ state: 'halted' }]);
  await expect.poll(() => failures).toBeGreaterThan(2);
  expect(await engine.checkpoint()).toMatchObject({ halted: null });
  isAway = false;
  await expect.poll(engine.checkpoint).toMatchObject({ halted: { reason: 'gap', from: 1, to: 2 } });
});

describe('a document that is refused', () => {
  test.for([
    ['for good', (ids: readonly string[]) => new RefusedForGood('too large', ids)],
    ['for no reason that is known', (ids: readonly string[]) => new RefusedForNow('code 4711', ids)],
    ['by an error that does not name it', () => new PermanentError('refused')],
  ] as const)('%s while its neighbours are written is parked after five times', async ([, error]) => {
    let alone = 0;
    const documents = failing((ids, collection) => {
      if (collection !== 'notes@1' || !ids.includes('bad')) return null;
      if (ids.length === 1) alone += 1;
      return error(['bad']);
    });
    await engine.publish(['a', 1, 'x'], ['bad', 1, 'x'], ['c', 1, 'x']);
    await engine.start({ documents, clock });
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'x', c: 'x' });
    expect(await parkedKeys()).toEqual(['bad']);
    // With its neighbours, or alone: five times in all.
    expect(alone).toBeGreaterThanOrEqual(4);
    await engine.publish(['d', 1, 'x']);
    await engine.settled();
    expect(await engine.checkpoint()).toMatchObject({ counts: { applied: 3, parked: 1 } });
  });

  test('like every other one is not to blame: the store is waited for', async () => {
    let isUnwell = true;
    let refusals = 0;
    const documents = failing((ids, collection) => {
      if (!isUnwell || collection !== 'notes@1') return null;
      refusals += 1;
      return new RefusedForNow('code 1', ids);
    });
    await engine.publish(['a', 1, 'x'], ['b', 1, 'x'], ['c', 1, 'x']);
    await engine.start({ documents, clock });
    await expect.poll(() => refusals).toBeGreaterThan(6);
    expect(await parkedKeys()).toEqual([]);
    isUnwell = false;
    await engine.settled();
    expect(await engine.notes()).toEqual({ a: 'x', b: 'x', c: 'x' });
  });
});
