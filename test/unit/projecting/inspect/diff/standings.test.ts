import { expect, test } from 'vitest';

import { standingsOf } from '../../../../../src/projecting/inspect/diff/standings.ts';

test('a score that came after the scores were counted stands behind those that are higher', () => {
  const standings = standingsOf([
    [50, 2],
    [90, 3],
  ]);
  expect(standings(70)).toBe(4);
  expect(standings(10)).toBe(6);
});
