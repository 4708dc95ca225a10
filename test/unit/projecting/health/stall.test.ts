import { expect, test } from 'vitest';

import { workerLanes } from '../../../../src/projecting/health/lane-owners.ts';
import { createStallDetector, type ObservedLane } from '../../../../src/projecting/health/stall.ts';

const lane = (position: number, end: number, isRunning = true): ObservedLane => ({
  name: 'notes@1/notes/0',
  isRunning,
  position,
  left: end - position,
});

/** How long the one lane has been standing still after these looks, one a second. */
function standing(...looks: readonly ObservedLane[]): number | undefined {
  const detector = createStallDetector();
  let found: number | undefined;
  for (const [second, look] of looks.entries()) {
    found = detector.observe([look], second * 1000).get('notes@1/notes/0')?.ms;
  }
  return found;
}

test('a lane that is behind and does not move stands still since it was last seen well', () => {
  expect(standing(lane(5, 5), lane(5, 9), lane(5, 10), lane(5, 11))).toBe(3000);
});

test('a lane that moves, or has nothing to read, does not stand still', () => {
  expect(standing(lane(5, 9), lane(6, 90), lane(7, 900))).toBe(0);
  expect(standing(lane(90, 90), lane(90, 90), lane(90, 90))).toBe(0);
});

test('a lane that is not at work stands still, whether there is something to read or not', () => {
  expect(standing(lane(5, 5, false), lane(5, 5, false), lane(5, 5, false))).toBe(2000);
});

test('a lane that is seen late stands still since it is not at work', () => {
  const detector = createStallDetector();
  const seen = detector.observe([{ ...lane(5, 9, false), since: 1000 }], 13_000).get('notes@1/notes/0');
  expect(seen).toEqual({ ms: 12_000, isStalled: true });
});

test('a lane that fails and begins again without having moved stands still all the time', () => {
  expect(standing(lane(5, 9), lane(5, 9, false), lane(5, 9), lane(5, 9, false), lane(5, 9))).toBe(4000);
});

test('a lane of a build that nobody sees may take a minute for a pass', () => {
  const detector = createStallDetector();
  const stalledAt = (at: number) =>
    detector.observe([{ ...lane(5, 9), isUnseen: true }], at).get('notes@1/notes/0')?.isStalled;
  expect([0, 59_000, 60_000].map(stalledAt)).toEqual([false, false, true]);
});

test('a lane that was away starts over', () => {
  const detector = createStallDetector();
  detector.observe([lane(5, 9)], 0);
  detector.observe([], 50_000);
  expect(detector.observe([lane(5, 9)], 60_000).get('notes@1/notes/0')?.ms).toBe(0);
});

test('it is stalled after 10 s; after a minute where another lane of its build moves through a backlog; what another build does is no excuse', () => {
  const other = (position: number): ObservedLane => ({ ...lane(position, 100_000), name: 'notes@1/notes/1' });
  const ofRebuild = (position: number): ObservedLane => ({ ...other(position), name: 'notes@2/notes/1' });
  const stalledAt = (others: (second: number) => readonly ObservedLane[]): number => {
    const detector = createStallDetector();
    for (let second = 0; ; second += 1) {
      const found = detector.observe([lane(5, 9), ...others(second)], second * 1000);
      if (found.get('notes@1/notes/0')?.isStalled) return second;
    }
  };
  expect(stalledAt(() => [])).toBe(10);
  expect(stalledAt(() => [{ ...other(90_000), left: 0 }])).toBe(10);
  expect(stalledAt((second) => [other(second)])).toBe(60);
  expect(stalledAt((second) => [other(4 * Math.floor(second / 4))])).toBe(60);
  expect(stalledAt((second) => [other(Math.min(second, 20))])).toBe(30);
  expect(stalledAt((second) => [ofRebuild(second)])).toBe(10);
});

test('a lane that has stalled tells since when it stands, not since when it was claimed', () => {
  const lanes = [{ lane: { readModel: 'notes@1', topic: 'notes', partition: 0 }, since: 1000, reason: null }];
  const stalls = new Map([['notes@1/notes/0', { ms: 20_000, isStalled: true }]]);
  const at = { now: 1_000_000, monotonic: 90_000 };
  const told = workerLanes(
    lanes.map((one) => ({ ...one, state: 'running' as const })),
    stalls,
    at,
  );
  expect(told).toEqual({ 'notes@1/notes/0': { state: 'stalled', since: 980_000, reason: null } });
});
