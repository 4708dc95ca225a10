import { describe, expect, test } from 'vitest';

import { recur, rest, untilBeat, untilMultiple } from '../../../src/platform/rest.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('resting', () => {
  test('ends at a full second; of less than one, at the full half second that is nearest to its time', async () => {
    const clock = createTestClock();
    clock.advance(130);
    expect([1000, 600, 900].map((ms) => untilBeat(clock, ms))).toEqual([870, 370, 870]);
    expect([1500, 2000, 3000].map((ms) => untilBeat(clock, ms))).toEqual([870, 1870, 2870]);
    const resting = watched(rest(clock, 1000));
    clock.advance(869);
    expect(await resting.isOver()).toBe(false);
    clock.advance(1);
    expect(await resting.isOver()).toBe(true);
  });

  test('is over a quarter of a second after its time at the latest, wherever it begins', () => {
    for (const ms of [500, 700, 1000, 1300, 2000, 5000]) {
      for (let began = 0; began < 2000; began += 10) {
        const late = untilBeat({ monotonic: () => began }, ms) - ms;
        expect(late).toBeGreaterThan(ms < 1000 ? -251 : -751);
        expect(late).toBeLessThanOrEqual(250);
      }
    }
  });

  test('what recurs after whole seconds does so at the same moments, wherever it began', () => {
    for (const began of [10, 400, 520, 760, 990]) {
      let now = began;
      for (let times = 0; times < 2; times += 1) now += untilBeat({ monotonic: () => now }, 1000) + 3;
      expect((now - 3) % 1000).toBe(0);
    }
  });

  test('what ends at multiples of a time ends at the same moments, wherever it began', () => {
    const left = [0, 1, 2999.5, 3000, 4500].map((now) => untilMultiple({ monotonic: () => now }, 3000));
    expect(left).toEqual([3000, 2999, 0.5, 3000, 1500]);
  });

  test('rests that began at different moments end together, of one sleep', async () => {
    const clock = createTestClock();
    let sleeps = 0;
    const counted = {
      ...clock,
      sleep: (...given: Parameters<typeof clock.sleep>) => ((sleeps += 1), clock.sleep(...given)),
    };
    const first = watched(rest(counted, 1000));
    clock.advance(40);
    const second = watched(rest(counted, 1000));
    clock.advance(40);
    const third = watched(rest(counted, 2000));
    clock.advance(920);
    expect(await Promise.all([first, second, third].map((one) => one.isOver()))).toEqual([true, true, false]);
    expect(sleeps).toBe(2);
    clock.advance(1000);
    expect(await third.isOver()).toBe(true);
  });

  test('a shorter rest that begins later ends before a longer one', async () => {
    const clock = createTestClock();
    const long = watched(rest(clock, 10_000));
    const short = watched(rest(clock, 1000));
    await turn();
    clock.advance(1000);
    expect([await long.isOver(), await short.isOver()]).toEqual([false, true]);
    clock.advance(9000);
    expect(await long.isOver()).toBe(true);
  });

  test('what is shorter than half a second is slept exactly', async () => {
    const clock = createTestClock();
    clock.advance(130);
    const resting = watched(rest(clock, 100));
    clock.advance(99);
    expect(await resting.isOver()).toBe(false);
    clock.advance(1);
    expect(await resting.isOver()).toBe(true);
  });

  test('ends as soon as it is called off, before it began or later, and the others go on', async () => {
    const clock = createTestClock();
    const off = new AbortController();
    const [called, other] = [watched(rest(clock, 1000, off.signal)), watched(rest(clock, 1000))];
    off.abort();
    expect([await called.isOver(), await other.isOver()]).toEqual([true, false]);
    await rest(clock, 1000, off.signal);
    clock.advance(1000);
    expect(await other.isOver()).toBe(true);
  });

  test('nobody is kept by a sleep of which all rests were called off, and later ones begin a new one', async () => {
    const clock = createTestClock();
    const off = new AbortController();
    const sleeping: boolean[] = [];
    const noted = {
      ...clock,
      sleep: async (ms: number, signal?: AbortSignal) => {
        const place = sleeping.push(true) - 1;
        await clock.sleep(ms, signal);
        sleeping[place] = false;
      },
    };
    const called = watched(rest(noted, 1000, off.signal));
    off.abort();
    expect(await called.isOver()).toBe(true);
    expect(sleeping).toEqual([false]);
    const later = watched(rest(noted, 1000));
    clock.advance(1000);
    expect(await later.isOver()).toBe(true);
  });

  test('what recurs does so after each rest, until it is called off', async () => {
    const clock = createTestClock();
    const off = new AbortController();
    let acts = 0;
    const ended = recur(clock, 1000, off.signal, () => void (acts += 1));
    for (let second = 0; second < 3; second += 1) {
      await turn();
      clock.advance(1000);
    }
    await turn();
    expect(acts).toBe(3);
    off.abort();
    await ended;
    expect(acts).toBe(3);
  });
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function watched(resting: Promise<void>): { isOver(): Promise<boolean> } {
  let over = false;
  void resting.then(() => (over = true));
  return { isOver: async () => (await turn(), over) };
}
