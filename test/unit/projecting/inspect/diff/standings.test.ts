import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { standingsOf } from '../../../../../src/projecting/inspect/diff/compare-builds.ts';

const scored = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: 'grapheme-ascii', maxLength: 6 }),
    score: fc.integer({ min: 0, max: 30 }),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
);

test('ranks are the places in a list sorted by score and then by id', () => {
  fc.assert(
    fc.property(scored, (entries) => {
      const naive = entries.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      const standings = standingsOf(counts(entries.map(({ score }) => score)));
      for (const { id, score } of entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const rank = naive.findIndex((other) => other.id === id) + 1;
        expect(standings(score)).toBe(rank);
      }
    }),
  );
});

test('a score that came after the scores were counted stands behind those that are higher', () => {
  const standings = standingsOf([
    [50, 2],
    [90, 3],
  ]);
  expect(standings(70)).toBe(4);
  expect(standings(10)).toBe(6);
});

function counts(scores: readonly number[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const score of scores) found.set(score, (found.get(score) ?? 0) + 1);
  return found;
}
