import { beforeEach, expect, test } from 'vitest';

import type { Assignment, Log } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { claimLane } from '../../../../src/projecting/engine/checkpoint.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withHandlers } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
const engine = forEachTest(() => openEngine(1));
let clock: TestClock;
beforeEach(async () => {
  clock = createTestClock();
});

/** Somebody else claims the lane, as a worker does that has lost it and does not know yet. */
async function claimAs(owner: string): Promise<void> {
  const ends = { partition: 0, earliest: 0, latest: 99 };
  await claimLane(engine.documents, lane, {
    owner,
    fit: async () => ({ ends, halt: null, compared: null }),
    acceptGap: false,
    signal: new AbortController().signal,
  });
}

/** A log that tells whether the partition is still this member's as `confirm` says. */
function confirming(confirm: Assignment['confirm']): Log {
  return withHandlers(engine.log, (handlers) => ({
    ...handlers,
    assigned: (assignment) => handlers.assigned(overriding(assignment, { confirm })),
  }));
}

test('a replaced worker asks its group, and claims again at once where the partition is still its own', async () => {
  const projector = await engine.start({ clock });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  await claimAs('another');
  await engine.publish(['a', 2, 'two']);
  // The clock stands still: nothing was waited for.
  expect(await engine.settled()).toBe('reached');
  expect(await engine.checkpoint()).toMatchObject({ owner: projector.owner, epoch: 3, position: 2 });
  // The loss was noticed before the document was written.
  expect((await engine.checkpoint())?.counts).toEqual({ applied: 2, superseded: 0, parked: 0, ignored: 0 });
});

test('a replaced worker writes no more checkpoints until its group has answered', async () => {
  const answer = Promise.withResolvers<boolean>();
  const asked = Promise.withResolvers<void>();
  const log = confirming(() => {
    asked.resolve();
    return answer.promise;
  });
  const projector = await engine.start({ clock, log });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  await claimAs('another');
  await engine.publish(['a', 2, 'two']);
  await asked.promise;
  expect(projector.lanes()).toMatchObject([{ state: 'claiming', reason: 'another worker has claimed it' }]);
  expect(await engine.checkpoint()).toMatchObject({ owner: 'another', epoch: 2, position: 1 });
  answer.resolve(false);
  await projector[Symbol.asyncDispose]();
  expect(await engine.checkpoint()).toMatchObject({ owner: 'another', epoch: 2, position: 1 });
});

test('two workers that both believe in their claim take turns at growing intervals', async () => {
  await engine.start({ clock, random: () => 1 });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  await claimAs('another');
  await engine.publish(['a', 2, 'more']);
  expect(await engine.settled()).toBe('reached');
  for (const [index, ms] of [1000, 2000, 4000].entries()) {
    await claimAs('another');
    await engine.publish(['a', index + 3, 'more']);
    await clock.sleeping(ms);
    expect(await engine.checkpoint()).toMatchObject({ owner: 'another' });
    clock.advance(ms);
    expect(await engine.settled()).toBe('reached');
  }
});

test('lost answers replace nobody and are no conflict: everything is written, its answer lost, and written again', async () => {
  const slept: number[] = [];
  const lost: string[] = [];
  let isAnswered = true;
  const documents = overriding(engine.documents, {
    write: async (collection, writes) => {
      const outcomes = await engine.documents.write(collection, writes);
      isAnswered = !isAnswered;
      if (isAnswered) return outcomes;
      lost.push(collection);
      throw new RetryableError('the connection was reset');
    },
  });
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  await engine.start({
    documents,
    clock: { now: () => 0, monotonic: () => 0, sleep },
    batchRecords: 1,
    passRecords: 1,
  });
  await engine.publish(['a', 1, 'one'], ['a', 2, 'two'], ['b', 1, 'one']);
  expect(await engine.settled()).toBe('reached');
  expect(await engine.checkpoint()).toMatchObject({ counts: { applied: 3, superseded: 0 } });
  // One claim and three batches.
  expect(lost.toSorted()).toEqual([
    ...Array<string>(4).fill(CHECKPOINTS.name),
    'notes@1',
    'notes@1',
    'notes@1',
  ]);
  expect(Math.max(...slept)).toBeLessThan(30_000);
});
