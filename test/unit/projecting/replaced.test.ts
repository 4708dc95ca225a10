import { afterEach, beforeEach, expect, test } from 'vitest';

import { RetryableError } from '../../../src/platform/errors.ts';
import { CHECKPOINTS, claimLane, type Checkpoint } from '../../../src/projecting/lane.ts';
import type { Projector } from '../../../src/projecting/projector.ts';
import { openEngine, type Engine } from '../../support/engine.ts';
import { overriding } from '../../support/overriding.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
const LANE = 'notes@1/notes/0';
const REPLACED_WAIT_MS = 30_000;

let engine: Engine;
let clock: TestClock;
beforeEach(async () => {
  engine = await openEngine(1);
  clock = createTestClock();
});
afterEach(() => engine[Symbol.asyncDispose]());

async function checkpoint(): Promise<Checkpoint | undefined> {
  return (await engine.documents.get<Checkpoint>(CHECKPOINTS.name, [LANE])).get(LANE)?.body;
}

/** A projector that has folded a record under a claim that was no longer its own. */
async function startReplaced(): Promise<Projector> {
  const projector = await engine.start({ clock });
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  const ends = async () => ({ partition: 0, earliest: 0, latest: 1 });
  await claimLane(engine.documents, lane, { owner: 'another', ends, acceptGap: false });
  await engine.publish(['a', 2, 'two']);
  await clock.sleeping(REPLACED_WAIT_MS);
  return projector;
}

test('a replaced worker writes no more checkpoints, and claims again after 30 s if it still has the partition', async () => {
  const projector = await startReplaced();
  expect(await checkpoint()).toMatchObject({ owner: 'another', epoch: 2, position: 1 });
  clock.advance(REPLACED_WAIT_MS - 1);
  await engine.publish(['b', 1, 'one']);
  expect(await checkpoint()).toMatchObject({ owner: 'another', epoch: 2, position: 1 });
  clock.advance(1);
  expect(await engine.settled()).toBe('reached');
  expect(await checkpoint()).toMatchObject({ owner: projector.owner, epoch: 3, position: 3 });
  // The document was written under its own guard before the loss was noticed; it is not counted twice.
  expect((await checkpoint())?.counts).toEqual({ applied: 2, superseded: 1, parked: 0, ignored: 0 });
});

test('a replaced worker that loses the partition lets it be, and stops at once when it is told to', async () => {
  const projector = await startReplaced();
  await projector[Symbol.asyncDispose]();
  expect(await checkpoint()).toMatchObject({ owner: 'another', epoch: 2, position: 1 });
});

test('lost answers replace nobody: each checkpoint is written, its answer lost, and written again', async () => {
  const slept: number[] = [];
  let lost = 0;
  let isAnswered = true;
  const documents = overriding(engine.documents, {
    write: async (collection, writes) => {
      const outcomes = await engine.documents.write(collection, writes);
      if (collection === CHECKPOINTS.name) isAnswered = !isAnswered;
      if (isAnswered) return outcomes;
      lost += 1;
      throw new RetryableError('the connection was reset');
    },
  });
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  await engine.start({ documents, clock: { now: () => 0, monotonic: () => 0, sleep }, batchRecords: 1 });
  await engine.publish(['a', 1, 'one'], ['a', 2, 'two'], ['b', 1, 'one']);
  expect(await engine.settled()).toBe('reached');
  expect(await checkpoint()).toMatchObject({ counts: { applied: 3, superseded: 0 } });
  // One claim and three batches.
  expect(lost).toBe(4);
  expect(Math.max(...slept)).toBeLessThan(REPLACED_WAIT_MS);
});
