import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Movement } from '../../../../../src/cli/commands/diff/summary.ts';
import { createPlots, type PlotData } from '../../../../../src/cli/commands/diff/plots.ts';

const tenths = fc.integer({ min: 0, max: 1000 }).map((value) => value / 10);
const moved = fc.record({
  before: tenths,
  after: tenths,
  category: fc.constantFrom(null, 'tools', 'news'),
});

function plotted(all: readonly { before: number; after: number; category: string | null }[]): PlotData {
  const plots = createPlots();
  for (const { before, after, category } of all) plots.add(movement(before, after, category));
  return plots.read();
}

function movement(before: number, after: number, category: string | null): Movement {
  const change = Math.round((after - before) * 10) / 10;
  return {
    id: 'a',
    title: '',
    category,
    score: { before, after, change },
    rank: { before: 1, after: 1, gained: 0 },
  };
}

test('every entry is in one dot and one category, where its scores are', () => {
  fc.assert(
    fc.property(fc.array(moved, { maxLength: 40 }), (all) => {
      const { cells, categories } = plotted(all);
      for (const list of [cells, categories])
        expect(list.reduce((sum, { entries }) => sum + entries, 0)).toBe(all.length);
      for (const { before, after, entries } of cells) {
        const there = all.filter(
          (one) => Math.round(one.before) === before && Math.round(one.after) === after,
        );
        expect(entries).toBe(there.length);
      }
      for (const { category, rose, fell } of categories) {
        const own = all.filter((one) => one.category === category);
        expect(rose).toBe(own.filter(({ before, after }) => after > before).length);
        expect(fell).toBe(own.filter(({ before, after }) => after < before).length);
      }
    }),
  );
});
