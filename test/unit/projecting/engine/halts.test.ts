import { describe, expect, test } from 'vitest';

import type { Assignment, Log, SubscriptionHandlers } from '../../../../src/events/log/port.ts';
import type { Logger } from '../../../../src/platform/logger.ts';
import { systemClock } from '../../../../src/platform/time/clock.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { haltsOf, openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { withFetch, withHandlers } from '../../../support/fetching.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const LANE = 'notes@1/notes/0';
const READING_PAUSE_MS = 2000;

const engine = forEachTest(() => openEngine(1));

const halted = async () => (await engine.checkpoint())?.halted ?? null;

/** Cuts the log below a position as soon as the lane asks for records from another one. */
function cutting(log: Log, { at, before }: { readonly at: number; readonly before: number }): Log {
  return withFetch(log, async (assignment, from, limits) => {
    if (from === at) engine.cut(before);
    return assignment.fetch(from, limits);
  });
}

describe('a lane halts while it runs', () => {
  test('where the log is cut beyond its position between two fetches, and records it', async () => {
    await engine.publish(['a', 1, 'one'], ['b', 1, 'lost'], ['c', 1, 'lost'], ['d', 1, 'kept']);
    const projector = await engine.start({ batchRecords: 1, log: cutting(engine.log, { at: 1, before: 3 }) });
    await expect.poll(halted).toEqual({ reason: 'gap', from: 1, to: 3 });
    expect(await engine.checkpoint()).toMatchObject({ position: 1, owner: projector.owner });
    expect(haltsOf(projector).get(LANE)).toContain('the records 1 to 2');
    expect(await engine.notes()).toEqual({ a: 'one' });
  });

  test('where its log becomes younger than its checkpoint, though it has nothing to read', async () => {
    const clock = createTestClock();
    let isMadeAnew = false;
    const log = withFetch(
      overriding(engine.log, {
        ends: async (topic) =>
          isMadeAnew ? [{ partition: 0, earliest: 0, latest: 1 }] : engine.log.ends(topic),
      }),
      (assignment, from, limits) => assignment.fetch(from, { ...limits, maxWaitMs: 5 }),
    );
    await engine.publish(['a', 1, 'one'], ['a', 2, 'two']);
    await engine.start({ clock, log, readingPauseMs: READING_PAUSE_MS });
    await engine.settled();
    isMadeAnew = true;
    clock.advance(5000);
    for (let reading = 1; reading < 3; reading += 1) {
      await clock.sleeping(READING_PAUSE_MS);
      expect(await halted()).toBeNull();
      clock.advance(READING_PAUSE_MS);
    }
    await expect.poll(halted).toEqual({ reason: 'log_younger', position: 2, latest: 1 });
  });
});

test('a halt is said in one line that says what to do', async () => {
  const { logger, lines } = captureLog();
  await engine.publish(['a', 1, 'one'], ['b', 1, 'lost'], ['c', 1, 'kept']);
  await engine.start({ batchRecords: 1, log: cutting(engine.log, { at: 1, before: 2 }), logger });
  const said = () => lines.filter((line) => line.includes('"level":"error"'));
  await expect.poll(() => said().length).toBe(1);
  expect(JSON.parse(String(said()[0]))).toMatchObject({
    lane: LANE,
    halt: { reason: 'gap', from: 1, to: 2 },
    explanation: `${LANE}: the log no longer holds the records 1 to 1, which were not read. Bring back the log that was read, or start a projector with --accept-gap ${LANE}, which accepts what is there: docs/guides/halted-lanes.md.`,
    msg: 'lane halted',
  });
});

test('an accepted gap is said aloud, and accepts no other one', async () => {
  await engine.consume(['a', 1, 'one']);
  await engine.publish(['b', 1, 'lost'], ['c', 1, 'kept'], ['d', 1, 'lost'], ['e', 1, 'kept']);
  engine.cut(2);

  const warnings: unknown[][] = [];
  const logger = overriding<Logger>(engine.parts.logger, {
    warn: (...line: unknown[]) => void warnings.push(line),
  });
  const assigned = Promise.withResolvers<{ handlers: SubscriptionHandlers; assignment: Assignment }>();
  const log = withHandlers(cutting(engine.log, { at: 3, before: 4 }), (handlers) => ({
    ...handlers,
    assigned: (assignment) => {
      assigned.resolve({ handlers, assignment });
      handlers.assigned(assignment);
    },
  }));
  const projector = await engine.start({ batchRecords: 1, acceptGaps: [LANE], logger, log });
  await expect.poll(halted).toEqual({ reason: 'gap', from: 3, to: 4 });
  expect(warnings).toEqual([
    [{ lane: LANE, halt: { reason: 'gap', from: 1, to: 2 }, position: 2 }, 'a gap was accepted'],
  ]);

  // The same partition comes to it again: what was accepted has been used.
  const { handlers, assignment } = await assigned.promise;
  handlers.revoked(assignment);
  expect(haltsOf(projector).size).toBe(0);
  handlers.assigned(overriding(assignment, {}));
  await expect.poll(() => haltsOf(projector).get(LANE)).toContain('the records 3 to 3');
  expect(await engine.notes()).toEqual({ a: 'one', c: 'kept' });
});

test('a gap of a lane that comes to a worker long after its start is not accepted', async () => {
  await engine.consume(['a', 1, 'one']);
  await engine.publish(['b', 1, 'lost'], ['c', 1, 'kept']);
  engine.cut(2);
  let laterMs = 0;
  const clock = overriding(systemClock, { monotonic: () => performance.now() + laterMs });
  const log = withHandlers(engine.log, (handlers) => ({
    ...handlers,
    assigned: (assignment) => ((laterMs = 121_000), handlers.assigned(assignment)),
  }));
  await engine.start({ acceptGaps: [LANE], clock, log });
  await expect.poll(halted).toEqual({ reason: 'gap', from: 1, to: 2 });
});
