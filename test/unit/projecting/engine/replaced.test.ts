import { aborted } from 'node:util';

import { expect, test } from 'vitest';

import {
  annotateLane,
  claimLane,
  guardCheckpoint,
  LaneReplaced,
} from '../../../../src/projecting/engine/guarded-checkpoint.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
const engine = forEachTest(() => openEngine(1));

/** Somebody else claims the lane, as a worker does that has lost it and does not know yet. */
async function claimAs(owner: string) {
  const ends = { partition: 0, earliest: 0, latest: 99 };
  return await claimLane(engine.documents, lane, {
    owner,
    fit: async () => ({ ends, halt: null, uncompared: null }),
    acceptGap: false,
    signal: new AbortController().signal,
  });
}

test('a replaced worker asks its group, and claims again at once where the partition is still its own', async () => {
  // The clock stands still: nothing is waited for.
  const projector = await engine.start({ clock: createTestClock() });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  await claimAs('another');
  await engine.publish(['a', 2, 'two']);
  expect(await engine.settled()).toBe('reached');
  expect(await engine.checkpoint()).toMatchObject({ owner: projector.owner, epoch: 3, position: 2 });
  // The loss was noticed before the document was written.
  expect((await engine.checkpoint())?.counts).toEqual({ applied: 2, superseded: 0, parked: 0, ignored: 0 });
});

test('a checkpoint is not written over the claim of another worker, and who wrote it learns of that', async () => {
  await engine.documents.declare(CHECKPOINTS);
  const claim = await claimAs('one');
  if (claim.outcome !== 'claimed') throw new Error('the lane has halted');
  const held = guardCheckpoint(engine.documents, claim.held);
  await claimAs('another');
  await expect(held.write((it) => annotateLane(it, { quiet: 'token' }))).rejects.toThrow(LaneReplaced);
  expect(await engine.checkpoint()).toMatchObject({ owner: 'another', epoch: 2, quiet: null });
});

test('two workers that both believe in their claim take turns at growing intervals', async () => {
  const clock = createTestClock();
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

test('a group that is silent keeps no worker from stopping', async () => {
  const silent = overriding(engine.log, {
    subscribe: (group, topics, handlers) =>
      engine.log.subscribe(group, topics, {
        assigned: (assignment) =>
          handlers.assigned(
            overriding(assignment, { confirm: (waiting) => aborted(waiting, waiting).then(() => false) }),
          ),
        revoked: (assignment) => handlers.revoked(assignment),
      }),
  });
  const projector = await engine.start({ log: silent, clock: createTestClock() });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  await claimAs('another');
  await engine.publish(['a', 2, 'two']);
  await expect.poll(() => projector.lanes().map(({ state }) => state)).toEqual(['claiming']);
  await projector[Symbol.asyncDispose]();
});
