import type { Movement } from './movement.ts';

/**
 * What the plots are drawn from, gathered while entries come by. Scores are gathered in cells of one point, so that a page
 * stays small whatever the catalog holds.
 */
export interface Plots {
  add(movement: Movement): void;
  read(): PlotData;
}

export interface PlotData {
  /** Entries whose score was about `before` and is about `after`, both rounded to whole points. */
  readonly cells: readonly { readonly before: number; readonly after: number; readonly entries: number }[];
  /**
   * Entries by how far their score moved, in points, ascending. The end that is nearer to zero is excluded; those that did
   * not move are from 0 to 0.
   */
  readonly distribution: readonly { readonly from: number; readonly to: number; readonly entries: number }[];
  /** The categories with the most entries that moved, the most first. */
  readonly categories: readonly CategoryMoves[];
}

export interface CategoryMoves {
  /** null for entries without one. */
  readonly category: string | null;
  readonly entries: number;
  readonly rose: number;
  readonly fell: number;
  /** Of all its entries, in points, two decimals. */
  readonly mean: number;
}

const CATEGORIES_SHOWN = 15;

/** Bars on either side of zero, at most. */
const BARS = 20;

export function createPlots(): Plots {
  const cells = new Map<number, number>();
  const tenths = new Map<number, number>();
  const categories = new Map<string | null, Moves>();
  return {
    add: ({ category, score: { before, after, change } }) => {
      if (before === null || after === null || change === null) return;
      increment(cells, Math.round(before) * CELL + Math.round(after));
      increment(tenths, Math.round(change * 10));
      const moves = categories.get(category) ?? { entries: 0, rose: 0, fell: 0, tenths: 0 };
      categories.set(category, {
        entries: moves.entries + 1,
        rose: moves.rose + Number(change > 0),
        fell: moves.fell + Number(change < 0),
        tenths: moves.tenths + Math.round(change * 10),
      });
    },
    read: () => ({
      cells: [...cells]
        .map(([cell, entries]) => ({ before: Math.floor(cell / CELL), after: cell % CELL, entries }))
        .sort((a, b) => a.before - b.before || a.after - b.after),
      distribution: barsOf(tenths),
      categories: [...categories].map(movesOf).sort(byMoves).slice(0, CATEGORIES_SHOWN),
    }),
  };
}

/** Whole points are at most 100, so that two of them fit into one number. */
const CELL = 1000;

interface Moves extends Omit<CategoryMoves, 'category' | 'mean'> {
  readonly tenths: number;
}

function movesOf([category, { tenths, ...moves }]: readonly [string | null, Moves]): CategoryMoves {
  return { category, ...moves, mean: Math.round((tenths / moves.entries) * 10) / 100 };
}

function byMoves(a: CategoryMoves, b: CategoryMoves): number {
  return (
    b.rose + b.fell - (a.rose + a.fell) ||
    b.entries - a.entries ||
    (a.category ?? '').localeCompare(b.category ?? '', 'en')
  );
}

/** Those that did not move stand apart, or a single one would hide among them. */
function barsOf(tenths: ReadonlyMap<number, number>): PlotData['distribution'] {
  const furthest = [...tenths.keys()].reduce((most, moved) => Math.max(most, Math.abs(moved)), 0);
  const width = WIDTHS.find((tenth) => tenth * BARS >= furthest) ?? furthest;
  const bars = new Map([[0, 0]]);
  for (const [moved, entries] of tenths) {
    // From zero outwards: 1 is the first bar of those that rose, -1 of those that fell.
    increment(bars, Math.sign(moved) * Math.ceil(Math.abs(moved) / width), entries);
  }
  const [first, last] = [Math.min(...bars.keys()), Math.max(...bars.keys())];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const bar = first + index;
    const from = ((bar - Math.max(0, Math.sign(bar))) * width) / 10;
    const to = ((bar - Math.min(0, Math.sign(bar))) * width) / 10;
    return { from, to, entries: bars.get(bar) ?? 0 };
  });
}

/** In tenths of a point; scores are 0 to 100. */
const WIDTHS = [1, 2, 5, 10, 20, 50];

function increment(counts: Map<number, number>, key: number, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
