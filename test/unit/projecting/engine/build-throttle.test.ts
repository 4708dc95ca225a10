import { expect, test } from 'vitest';

import { createBuildThrottle } from '../../../../src/projecting/engine/build-throttle.ts';

/** A clock that passes by work and by sleep alone. `share` of the work is CPU time, and the rest is waiting. */
function timed(utilization: number, share = 1) {
  let now = 0;
  let cpu = 0;
  let slept = 0;
  const clock = {
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms;
      slept += ms;
    },
  };
  const { signal } = new AbortController();
  const throttle = createBuildThrottle(
    clock,
    () => utilization,
    () => cpu,
  );
  const piece = (ms: number): Promise<void> => {
    now += ms;
    cpu += ms * share;
    return throttle.rest(signal);
  };
  return {
    piece,
    now: () => now,
    work: async (pieces: number, ms: number) => {
      for (let done = 0; done < pieces; done += 1) await piece(ms);
      return slept;
    },
  };
}

test.each([
  ['does not rest while nobody is served', 0, 0],
  ['rests for as long as it works where readers take a third of their thread', 1 / 3, 1000],
  ['rests three times as long as it works where readers take all of it', 1, 3000],
])('%s', async (_rule, utilization, rests) => {
  expect(await timed(utilization).work(100, 10)).toBeCloseTo(rests, -1);
});

test.each([
  ['counts a wait for the disk or a lock like work', 0.5, 3000],
  ['does not rest for the time in which others had the processor', 0.1, 600],
])('%s', async (_rule, share, rests) => {
  expect(await timed(1, share).work(100, 10)).toBeCloseTo(rests, -1);
});

test('those that share a thread rest together, and what each has done counts once', async () => {
  const { piece, now } = timed(1);
  const first = piece(100);
  // The other one was at work when the first began to rest.
  const second = piece(10);
  await Promise.all([first, second]);
  // What a piece does during a rest has waited as well: it counts twice, and once for both.
  expect(now()).toBe(100 + 10 + 360);
});
