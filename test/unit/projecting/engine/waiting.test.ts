import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Assignment, Log } from '../../../../src/events/log/port.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { OPEN_GATE } from '../../../../src/projecting/engine/build-gate.ts';
import { CHECKPOINTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import { openEngine, type Engine } from '../../../support/engine.ts';
import { overriding } from '../../../support/overriding.ts';

/** A lane that has nothing to read: what ends its wait, and what it looks at. */

const LANE = 'notes@1/notes/0';

let engine: Engine;
beforeEach(async () => {
  engine = await openEngine(1);
});
afterEach(() => engine[Symbol.asyncDispose]());

/** The log, with fetches of another sort. */
function fetching(fetch: (real: Assignment) => Assignment['fetch'], others: Partial<Log> = {}): Log {
  return overriding(engine.log, {
    ...others,
    subscribe: (group, topics, handlers) =>
      engine.log.subscribe(group, topics, {
        ...handlers,
        assigned: (real) =>
          handlers.assigned({
            topic: real.topic,
            partition: real.partition,
            signal: real.signal,
            report: (position) => real.report(position),
            confirm: () => real.confirm(),
            fetch: fetch(real),
          }),
      }),
  });
}

async function checkpoint(): Promise<Checkpoint | undefined> {
  return (await engine.documents.get<Checkpoint>(CHECKPOINTS.name, [LANE])).get(LANE)?.body;
}

test('a pause of its build ends the wait, however long that is: the lane says at once that it is quiet', async () => {
  let token: string | null = null;
  let isWaiting = false;
  const heard: (() => void)[] = [];
  const gate = {
    ...OPEN_GATE,
    pauseOf: () => token,
    onPause: (build: string, listener: () => void) => {
      if (build === 'notes@1') heard.push(listener);
    },
  };
  const log = fetching(() => async (from, { signal }) => {
    isWaiting = true;
    // For ever, but for the signal.
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { from, next: from, records: [] };
  });
  await engine.start({ log, gate });
  await expect.poll(() => isWaiting).toBe(true);
  for (const [before, next] of [
    [null, 'first'],
    ['first', 'second'],
  ] as const) {
    expect((await checkpoint())?.quiet).toBe(before);
    token = next;
    for (const listener of heard) listener();
    await expect.poll(async () => (await checkpoint())?.quiet).toBe(next);
    isWaiting = false;
    token = null;
    await expect.poll(() => isWaiting).toBe(true);
  }
});

/** An idle lane whose clock goes on by five seconds with each fetch. @returns how often it has compared its log by then. */
function idling(others: Partial<Log>) {
  let passed = 0;
  let compared = 0;
  let fetches = 0;
  const log = fetching(
    () => async (from) => {
      passed += 5000;
      fetches += 1;
      await nextTurn();
      return { from, next: from, records: [] };
    },
    { ...others, ends: async (topic) => ((compared += 1), await engine.log.ends(topic)) },
  );
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed };
  return {
    start: async () => void (await engine.start({ log, clock })),
    after: async (more: number): Promise<number> => {
      const until = fetches + more;
      await expect.poll(() => fetches).toBeGreaterThanOrEqual(until);
      return compared;
    },
  };
}

test('the log of a lane that has nothing to read is compared again and again', async () => {
  const lane = idling({});
  await lane.start();
  const compared = await lane.after(3);
  expect(await lane.after(10)).toBeGreaterThan(compared + 5);
});
