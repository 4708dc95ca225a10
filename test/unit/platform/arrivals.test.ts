import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { type Arrivals, createArrivals } from '../../../src/platform/arrivals.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { WriteNotices } from '../../../src/platform/write-notices.ts';

const POLL_MS = 10;

describe('waiting for records', () => {
  test('a wake ends every wait at once, and says how much of it was left', async () => {
    const { arrivals } = setUp();
    const waits = [wait(arrivals, 1000), wait(arrivals, 50)];
    arrivals.wake();
    expect(await Promise.all(waits)).toEqual([1000, 50]);
  });

  test('a wake between looking and waiting is not missed', async () => {
    const { arrivals } = setUp();
    const { generation } = arrivals;
    arrivals.wake();
    expect(await arrivals.wait(generation, 1000, [])).toBe(1000);
  });

  test('a commit of another process is noticed at the next poll', async () => {
    const { arrivals, file, poll } = setUp();
    const waiting = wait(arrivals, 1000);
    file.version = 2;
    await poll();
    expect(await waiting).toBe(990);
  });

  test('a poll that finds nothing new wakes nobody before the time is over', async () => {
    const { arrivals, file, poll } = setUp();
    const first = wait(arrivals, 1000);
    file.version = 2;
    await poll();
    await first;
    const [long, short] = [ended(wait(arrivals, 50)), ended(wait(arrivals, 20))];
    await poll();
    expect([long.over, short.over]).toEqual([false, false]);
    await poll();
    expect([long.over, short.over]).toEqual([false, true]);
    for (let count = 0; count < 3; count += 1) await poll();
    expect(await long.left).toBe(0);
  });

  test('either of two signals ends a wait, also one that was aborted before', async () => {
    const { arrivals } = setUp();
    for (const aborted of [0, 1]) {
      const controllers = [new AbortController(), new AbortController()];
      const signals = controllers.map(({ signal }) => signal);
      const waiting = arrivals.wait(arrivals.generation, 1000, signals);
      controllers[aborted]?.abort();
      expect(await waiting).toBe(1000);
      expect(await arrivals.wait(arrivals.generation, 1000, signals)).toBe(1000);
    }
  });

  test('one loop polls for all who wait, and stops with the last of them', async () => {
    const { arrivals, poll, polling } = setUp();
    expect(polling()).toBe(0);
    const waits = [wait(arrivals, 1000), wait(arrivals, 1000)];
    expect(polling()).toBe(1);
    arrivals.wake();
    await Promise.all(waits);
    await poll();
    expect(polling()).toBe(0);
    const again = wait(arrivals, 1000);
    expect(polling()).toBe(1);
    arrivals.wake();
    await again;
  });

  test('a file that cannot be asked wakes everybody: they find out what is wrong', async () => {
    const { arrivals, file, poll } = setUp();
    const waiting = wait(arrivals, 1000);
    file.broken = true;
    await poll();
    expect(await waiting).toBe(990);
  });

  test('where notices are believed it looks less and less often, and soon again after one', async () => {
    const { arrivals, notices, lengths, poll } = setUp({ believed: true });
    void wait(arrivals, 60_000);
    for (let count = 0; count < 5; count += 1) await poll();
    expect(lengths).toEqual([10, 40, 160, 500, 1000, 1000]);
    await notices.come();
    expect(lengths.at(-1)).toBe(10);
    await poll();
    expect(lengths.at(-1)).toBe(40);
  });

  test('a write of this process makes looks neither more frequent nor rarer', async () => {
    const { arrivals, notices, lengths, poll } = setUp({ believed: true });
    void wait(arrivals, 60_000);
    await poll();
    await notices.come({ isOwn: true });
    for (let count = 0; count < 4; count += 1) await poll();
    await notices.come({ isOwn: true });
    await poll();
    expect(lengths).toEqual([10, 40, 160, 500, 1000, 1000, 1000]);
  });

  test('a write of this process to one part wakes those who wait for it or for all, one of another process wakes all', async () => {
    const { arrivals, file, poll } = setUp();
    const parts = ['a', 'b'].map((part) => arrivals.of(part));
    const waiting = () => [...parts, arrivals].map((one) => ended(one.wait(one.generation, 60_000, [])));
    const before = [...parts, arrivals].map(({ generation }) => generation);
    const raised = () => [...parts, arrivals].map(({ generation }, at) => generation - (before[at] ?? 0));
    const own = waiting();
    arrivals.wake('a');
    await nextTurn();
    expect([own.map(({ over }) => over), raised()]).toEqual([
      [true, false, true],
      [1, 0, 1],
    ]);
    const foreign = waiting();
    file.version = 2;
    await poll();
    expect([foreign.map(({ over }) => over), raised()]).toEqual([
      [true, true, true],
      [2, 1, 2],
    ]);
  });

  test('whoever looks knows what another process has written, also where nobody waits, and wakes those who do', async () => {
    const { arrivals, file } = setUp();
    const before = arrivals.generation;
    expect(arrivals.look()).toBe(before);
    file.version = 2;
    expect(arrivals.look()).toBe(before + 1);
    const waiting = wait(arrivals, 1000);
    file.version = 3;
    expect(arrivals.look()).toBe(before + 2);
    expect(await waiting).toBe(1000);
  });

  test('a commit that takes long after its notice is seen by one of the looks that follow', async () => {
    const { arrivals, file, notices, poll } = setUp({ believed: true });
    const waiting = ended(wait(arrivals, 60_000));
    for (let count = 0; count < 5; count += 1) await poll();
    await notices.come();
    await poll();
    expect(waiting.over).toBe(false);
    file.version = 2;
    await poll();
    expect(waiting.over).toBe(true);
  });

  test('where notices are not believed it goes on looking as often', async () => {
    const { arrivals, lengths, poll } = setUp({ believed: false });
    void wait(arrivals, 60_000);
    for (let count = 0; count < 5; count += 1) await poll();
    expect(new Set(lengths)).toEqual(new Set([10]));
  });

  test('a wait that is shorter than the pause between two looks ends in time', async () => {
    const { arrivals, lengths, poll } = setUp({ believed: true });
    void wait(arrivals, 60_000);
    for (let count = 0; count < 5; count += 1) await poll();
    const short = ended(wait(arrivals, 300));
    await poll();
    expect(lengths.at(-1)).toBe(300);
    await poll();
    expect(short.over).toBe(true);
  });

  test('waits that end together are over, also one that would have ended a moment later', async () => {
    const { arrivals, poll } = setUp({ believed: true });
    void wait(arrivals, 60_000);
    for (let count = 0; count < 5; count += 1) await poll();
    const waits = [wait(arrivals, 300), wait(arrivals, 350)];
    for (let count = 0; count < 2; count += 1) await poll();
    expect(await Promise.all(waits)).toEqual([0, 0]);
  });

  test('nobody is kept by the sleep of a loop that nobody waits for', async () => {
    const { arrivals, poll, polling } = setUp({ believed: true });
    const leaving = new AbortController();
    const waiting = arrivals.wait(arrivals.generation, 60_000, [leaving.signal]);
    for (let count = 0; count < 5; count += 1) await poll();
    leaving.abort();
    await waiting;
    expect(polling()).toBe(0);
  });
});

function wait(arrivals: Arrivals, ms: number): Promise<number> {
  return arrivals.wait(arrivals.generation, ms, []);
}

function ended(left: Promise<number>): { left: Promise<number>; over: boolean } {
  const state = { left, over: false };
  void left.then(() => (state.over = true));
  return state;
}

/** Arrivals over a file whose version is set by hand and a clock whose sleeps end by hand, or when they are aborted. */
function setUp({ believed }: { readonly believed?: boolean } = {}) {
  const file = { version: 1, broken: false };
  const lengths: number[] = [];
  let sleeping: (() => void)[] = [];
  let notice: (isOwn: boolean) => void = () => undefined;
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        lengths.push(ms);
        sleeping.push(resolve);
        signal?.addEventListener('abort', () => {
          sleeping = sleeping.filter((one) => one !== resolve);
          resolve();
        });
      }),
  };
  const dataVersion = (): number => {
    if (file.broken) throw new Error('broken');
    return file.version;
  };
  const notices: WriteNotices = {
    listen: (listener) => (notice = listener),
    areBelieved: believed === true,
    written: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
  const watched = believed === undefined ? {} : { notices };
  return {
    file,
    lengths,
    arrivals: createArrivals({ dataVersion, clock, pollMs: POLL_MS, ...watched }),
    notices: {
      come: async ({ isOwn = false } = {}): Promise<void> => {
        notice(isOwn);
        await nextTurn();
      },
    },
    polling: () => sleeping.length,
    /** Ends the sleep of the loop, and lets everything follow that follows from it. */
    poll: async (): Promise<void> => {
      const due = sleeping;
      sleeping = [];
      for (const resolve of due) resolve();
      await nextTurn();
    },
  };
}
