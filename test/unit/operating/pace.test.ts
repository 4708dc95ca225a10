import { expect, test } from 'vitest';

import { buildProgress } from '../../../src/operating/build-progress.ts';
import { createPace } from '../../../src/operating/pace.ts';
import type { LaneStatus } from '../../../src/operating/status.ts';

const BUILD = { build: 'listings@2', began_at: '2026-01-01T00:00:00.000Z' };
const BEGAN = Date.parse(BUILD.began_at);

function lanesAt(position: number): readonly LaneStatus[] {
  const lane = {
    lane: 'listings@2/catalog.entries/0',
    owner: null,
    epoch: 1,
    live: null,
    waits_for_transaction: false,
    position,
    earliest: 0,
    latest: 10_000,
    lag: 10_000 - position,
    lag_ms: null,
    halted: null,
    counts: null,
  };
  return [lane, { ...lane, lane: 'listings@22/catalog.entries/0' }];
}

test('the first look takes the mean since the build began, and later ones the pace of the last five minutes', () => {
  const pace = createPace();
  const at = (seconds: number, position: number) =>
    buildProgress(BUILD, lanesAt(position), BEGAN + seconds * 1000, pace);
  expect(at(100, 1000)).toEqual({ share: 0.1, left: 9000, rate: 10, left_ms: 900_000 });
  expect(at(110, 1100).rate).toBe(10);
  expect(at(140, 5000)).toMatchObject({ rate: 100, left_ms: 50_000 });
  expect(at(500, 5000)).toMatchObject({ rate: 10, left_ms: 500_000 });
});

test('looks from before the clock of the store was put back say nothing of the pace after it', () => {
  const pace = createPace();
  const at = (seconds: number, position: number) =>
    buildProgress({ ...BUILD, began_at: null }, lanesAt(position), BEGAN + seconds * 1000, pace);
  at(7200, 1000);
  at(0, 1100);
  expect(at(30, 1400).rate).toBe(10);
});

test('a build that stands still has no time left to tell, and one that has all of the log has none either', () => {
  const pace = createPace();
  const at = (seconds: number, position: number) =>
    buildProgress(BUILD, lanesAt(position), BEGAN + seconds * 1000, pace);
  at(100, 1000);
  expect(at(140, 1000)).toMatchObject({ rate: 0, left_ms: null });
  expect(at(200, 10_000)).toMatchObject({ share: 1, left: 0, left_ms: null });
});

test('a process that does not see the log knows nothing of it', () => {
  const nothing = { share: null, left: null, rate: null, left_ms: null };
  expect(buildProgress(BUILD, [], BEGAN, createPace())).toEqual(nothing);
});
