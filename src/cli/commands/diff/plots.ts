import type { Movement } from './summary.ts';

/** What the page draws, gathered while entries come by; small, whatever the catalog holds. */
export interface Plots {
  add(movement: Movement): void;
  read(): PlotData;
}

export interface PlotData {
  /** Entries whose score was about `before` and is about `after`, both rounded to whole points. */
  readonly cells: readonly { readonly before: number; readonly after: number; readonly entries: number }[];
  /** The categories with the most entries that moved, the most first. */
  readonly categories: readonly CategoryMoves[];
}

export interface CategoryMoves {
  /** null for entries without one. */
  readonly category: string | null;
  readonly entries: number;
  readonly rose: number;
  readonly fell: number;
  /** Of the scores of all its entries together, in points. */
  readonly change: number;
}

const CATEGORIES_SHOWN = 15;

export function createPlots(): Plots {
  const cells = new Map<string, PlotData['cells'][number]>();
  const categories = new Map<string | null, CategoryMoves>();
  return {
    add: ({ category, score: { before: was, after: is, change } }) => {
      if (was === null || is === null || change === null) return;
      const [before, after] = [Math.round(was), Math.round(is)];
      const cell = `${before} ${after}`;
      cells.set(cell, { before, after, entries: (cells.get(cell)?.entries ?? 0) + 1 });
      const moves = categories.get(category);
      categories.set(category, {
        category,
        entries: (moves?.entries ?? 0) + 1,
        rose: (moves?.rose ?? 0) + Number(change > 0),
        fell: (moves?.fell ?? 0) + Number(change < 0),
        change: (moves?.change ?? 0) + change,
      });
    },
    read: () => ({
      cells: [...cells.values()],
      categories: [...categories.values()]
        .sort((a, b) => b.rose + b.fell - (a.rose + a.fell) || b.entries - a.entries)
        .slice(0, CATEGORIES_SHOWN),
    }),
  };
}
