import { describe, expect, test } from 'vitest';

import type { Log, PartitionEnds } from '../../../../src/events/log/port.ts';
import { haltsOf, openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

/**
 * Brokers that restart, or are busy, say for a moment what is not so; and the operator of a lane that has halted may bring the
 * right log back.
 */

const LANE = 'notes@1/notes/0';

const engine = forEachTest(() => openEngine(1));

/** A log whose ends are what `answer` says, and where it says null, what they are. Fetches do not wait for long. */
function answering(answer: () => readonly PartitionEnds[] | null): Log {
  const log = overriding(engine.log, {
    ends: async (topic) => (topic === 'notes' ? answer() : null) ?? engine.log.ends(topic),
  });
  return withFetch(log, (assignment, from, limits) => assignment.fetch(from, { ...limits, maxWaitMs: 5 }));
}

/** Lets the readings pass that make a halt certain. */
async function makingSure(clock: TestClock): Promise<void> {
  for (let reading = 1; reading < 3; reading += 1) await clock.pass(5);
}

async function consume(...names: readonly string[]): Promise<void> {
  await engine.consume(...names.map((name) => [name, 1, 'x'] as const));
}

describe('a lane that has consumed something', () => {
  test('says what it waits for, and does not halt, while the log knows no such topic', async () => {
    let isUnknown = false;
    const clock = createTestClock();
    const projector = await engine.start({ clock, log: answering(() => (isUnknown ? [] : null)) });
    await engine.publish(['a', 1, 'one']);
    await engine.settled();
    isUnknown = true;
    clock.advance(5000);
    await expect
      .poll(() => projector.lanes())
      .toMatchObject([
        { state: 'paused', reason: expect.stringContaining('the log does not know this partition') },
      ]);
    isUnknown = false;
    clock.advance(60_000);
    await expect.poll(() => projector.lanes()).toMatchObject([{ state: 'running', reason: null }]);
    expect(haltsOf(projector).size).toBe(0);
  });

  test('halts where three readings in a row agree, though the log grows between them', async () => {
    let latest = 0;
    await consume('a', 'b', 'c', 'd', 'e');
    await engine.start({ log: answering(() => [{ partition: 0, earliest: 0, latest: ++latest }]) });
    await expect
      .poll(engine.checkpoint)
      .toMatchObject({ halted: { reason: 'log_younger', position: 5, latest: 3 }, epoch: 2 });
  });
});

test.for([
  ['that ended too early', { partition: 0, earliest: 0, latest: 1 }, 'log_younger'],
  ['that had forgotten what was not read', { partition: 0, earliest: 3, latest: 9 }, 'gap'],
] as const)('a halted lane goes on by itself once the log %s is whole again', async ([, wrong, reason]) => {
  await consume('a', 'b');
  const clock = createTestClock();
  let isWrong = true;
  const projector = await engine.start({ clock, log: answering(() => (isWrong ? [wrong] : null)) });
  await makingSure(clock);
  await expect.poll(engine.checkpoint).toMatchObject({ halted: { reason } });
  await engine.publish(['c', 1, 'three']);
  await clock.pass(30_000);
  // It has looked, and found it as it was.
  await clock.sleeping(30_000);
  expect(projector.lanes()).toMatchObject([{ state: 'halted' }]);
  expect(await engine.checkpoint()).toMatchObject({ position: 2, epoch: 2 });
  isWrong = false;
  clock.advance(30_000);
  await expect.poll(engine.checkpoint).toMatchObject({ position: 3, halted: null });
  await expect.poll(() => projector.lanes()).toMatchObject([{ state: 'running', reason: null }]);
  expect(haltsOf(projector).size).toBe(0);
  expect(await engine.notes()).toEqual({ a: 'x', b: 'x', c: 'three' });
});

test('an acceptance that nothing had to be accepted for is not kept for a later gap', async () => {
  await consume('a', 'b');
  let isWrong = false;
  const clock = createTestClock();
  const log = answering(() => (isWrong ? [{ partition: 0, earliest: 0, latest: 1 }] : null));
  await engine.start({ clock, log, acceptGaps: [LANE] });
  await expect.poll(engine.checkpoint).toMatchObject({ epoch: 2 });
  isWrong = true;
  clock.advance(5000);
  await makingSure(clock);
  await expect.poll(engine.checkpoint).toMatchObject({ halted: { reason: 'log_younger' } });
  await clock.pass(30_000);
  await clock.sleeping(30_000);
  expect(await engine.checkpoint()).toMatchObject({
    position: 2,
    incarnation: 0,
    halted: { reason: 'log_younger' },
  });
});
