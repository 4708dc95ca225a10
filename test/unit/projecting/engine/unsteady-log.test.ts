import { describe, expect, test } from 'vitest';

import type { Log, PartitionEnds } from '../../../../src/events/log/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withFetch } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

/** Brokers that restart, or are busy, say for a moment what is not so. */

const engine = forEachTest(() => openEngine(1));

/** A log whose ends are what `answer` says, and where it says null, what they are. Fetches do not wait for long. */
function answering(answer: () => readonly PartitionEnds[] | null): Log {
  const log = overriding(engine.log, {
    ends: async (topic) => (topic === 'notes' ? answer() : null) ?? engine.log.ends(topic),
  });
  return withFetch(log, (assignment, from, limits) => assignment.fetch(from, { ...limits, maxWaitMs: 5 }));
}

const NONE = { partition: 0, earliest: 0, latest: 0 };

describe('a lane that has consumed something', () => {
  test.for([
    ['knows no such topic', []],
    ['takes the topic for an empty one', [NONE]],
  ] as const)('is not halted by a log that %s for a while', async ([, wrong]) => {
    const clock = createTestClock();
    let asked = 0;
    let isUnwell = false;
    const log = answering(() => {
      if (!isUnwell) return null;
      asked += 1;
      return asked <= 2 ? wrong : null;
    });
    const projector = await engine.start({ clock, log });
    await engine.publish(['a', 1, 'one']);
    await engine.settled();
    isUnwell = true;
    clock.advance(5000);
    while (asked < 3) {
      clock.advance(500);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await engine.publish(['b', 1, 'two']);
    expect(await engine.settled()).toBe('reached');
    expect(await engine.checkpoint()).toMatchObject({ position: 2, halted: null, epoch: 1 });
    expect(projector.halts.size).toBe(0);
  });

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
  });

  test('halts where three readings in a row agree, though the log grows between them', async () => {
    let latest = 0;
    const first = await engine.start();
    await engine.publish(['a', 1, 'one'], ['b', 1, 'x'], ['c', 1, 'x'], ['d', 1, 'x'], ['e', 1, 'x']);
    await engine.settled();
    await first[Symbol.asyncDispose]();
    await engine.start({ log: answering(() => [{ partition: 0, earliest: 0, latest: ++latest }]) });
    await expect
      .poll(engine.checkpoint)
      .toMatchObject({ halted: { reason: 'log_younger', position: 5, latest: 3 }, epoch: 2 });
  });
});
