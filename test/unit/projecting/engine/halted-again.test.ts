import { describe, expect, test } from 'vitest';

import type { Log, PartitionEnds } from '../../../../src/events/log/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

/** What becomes of a lane that has halted: the operator may bring the right log back. */

const LANE = 'notes@1/notes/0';

const engine = forEachTest(() => openEngine(1));

/** The engine's log, whose ends are other ones for as long as `wrong` says some. */
function mistaken(wrong: () => PartitionEnds | null): Log {
  const ends: Log['ends'] = async (topic) => {
    const found = topic === 'notes' ? wrong() : null;
    return found ? [found] : engine.log.ends(topic);
  };
  // It does not tell when they change.
  return withFetch(overriding(engine.log, { ends }), (assignment, from, limits) =>
    assignment.fetch(from, { ...limits, maxWaitMs: 5 }),
  );
}

/** Lets the readings pass that make a halt certain. */
async function makingSure(clock: TestClock): Promise<void> {
  for (let reading = 1; reading < 3; reading += 1) await clock.pass(5);
}

async function consumeTwo(): Promise<void> {
  const first = await engine.start();
  await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
  await engine.settled();
  await first[Symbol.asyncDispose]();
}

describe('a halted lane', () => {
  test.for([
    ['that ended too early', { partition: 0, earliest: 0, latest: 1 }, 'log_younger'],
    ['that had forgotten what was not read', { partition: 0, earliest: 3, latest: 9 }, 'gap'],
  ] as const)('goes on by itself once the log %s is whole again', async ([, wrong, reason]) => {
    await consumeTwo();
    const clock = createTestClock();
    let isWrong = true;
    const log = mistaken(() => (isWrong ? wrong : null));
    const projector = await engine.start({ clock, log });
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
    expect(projector.halts.size).toBe(0);
    expect(await engine.notes()).toEqual({ a: 'one', b: 'two', c: 'three' });
  });
});

test('an acceptance that nothing had to be accepted for is not kept for a later gap', async () => {
  await consumeTwo();
  let isWrong = false;
  const clock = createTestClock();
  const log = mistaken(() => (isWrong ? { partition: 0, earliest: 0, latest: 1 } : null));
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
