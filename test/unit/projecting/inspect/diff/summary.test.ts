import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { sumUp } from '../../../../../src/projecting/inspect/diff/summary.ts';

const tenths = fc.integer({ min: 0, max: 1000 }).map((value) => value / 10);

test('every entry is in one dot, where its scores are', () => {
  const named = { before: 'a', after: 'b', compared_at: '', fields: null, top: 3, ranked: true };
  fc.assert(
    fc.property(fc.array(fc.record({ before: tenths, after: tenths }), { maxLength: 40 }), (scores) => {
      const summing = sumUp(named);
      const rank = { before: 1, after: 1 };
      const entry = {
        id: 'a',
        outcome: 'unchanged',
        before: {},
        after: {},
        fields: new Map(),
        rank,
      } as const;
      for (const score of scores) summing.add({ ...entry, score });
      const dots = summing.dots();
      expect(dots.reduce((sum, { entries }) => sum + entries, 0)).toBe(scores.length);
      for (const { before, after, entries } of dots)
        expect(entries).toBe(
          scores.filter((one) => Math.round(one.before) === before && Math.round(one.after) === after).length,
        );
    }),
  );
});
