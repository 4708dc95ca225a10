import { expect, test } from 'vitest';

import type { LaneProgress } from '../../../src/projecting/progress.ts';
import { createStallDetector } from '../../../src/projecting/stall.ts';

const lane = (position: number, latest: number): LaneProgress => ({
  readModel: 'notes@1',
  topic: 'notes',
  partition: 0,
  position,
  earliest: 0,
  latest,
  readable: latest,
  lag: latest - position,
  halted: null,
  checkpoint: null,
});

test('a lane that is behind and does not move is stalled after the limit, and not before', () => {
  const detector = createStallDetector(15_000);
  expect(detector.observe([lane(5, 9)], 0)).toEqual([]);
  expect(detector.observe([lane(5, 10)], 14_999)).toEqual([]);
  expect(detector.observe([lane(5, 11)], 15_000)).toEqual(['notes@1/notes/0']);
});

test('a lane that moves, or has nothing to read, is not stalled', () => {
  const detector = createStallDetector(15_000);
  detector.observe([lane(5, 9)], 0);
  expect(detector.observe([lane(6, 90)], 20_000)).toEqual([]);
  expect(detector.observe([lane(90, 90)], 40_000)).toEqual([]);
  expect(detector.observe([lane(90, 91)], 90_000)).toEqual([]);
});
