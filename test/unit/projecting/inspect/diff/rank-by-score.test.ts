import { expect, test } from 'vitest';

import { ranksOf } from '../../../../../src/projecting/inspect/diff/rank-by-score.ts';

test('a score that came after the scores were counted stands behind those that are higher', () => {
  const ranks = ranksOf([
    [50, 2],
    [90, 3],
  ]);
  expect(ranks(70)).toBe(4);
  expect(ranks(10)).toBe(6);
});
