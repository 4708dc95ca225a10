/**
 * How many slips of the finger lie between two words: letters that are missing, too many, wrong, or swapped with their
 * neighbour (the optimal string alignment distance: Damerau-Levenshtein that edits no place twice). Pure.
 */

export function slipsBetween(a: string, b: string): number {
  return slipsToBeginnings(a, b).at(-1) ?? 0;
}

/** The slips from `a` to each beginning of `b`, by their length: from 0 letters to all of them. */
export function slipsToBeginnings(a: string, b: string): readonly number[] {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

const MAX_SLIPS = 3;

/**
 * The candidate that was probably meant: the one that takes the fewest slips to reach, the first of those that are
 * equally near. null where none is near: a third of the letters may be wrong, three at most, and something must be right.
 */
export function nearest(text: string, candidates: readonly string[]): string | null {
  const given = text.toLowerCase();
  let best: { readonly candidate: string; readonly slips: number } | null = null;
  for (const candidate of candidates) {
    const longer = Math.max(given.length, candidate.length);
    const allowed = Math.min(MAX_SLIPS, longer - 1, Math.max(1, Math.floor(longer / 3)));
    // Each slip changes the length by one at most, so long names cost no time here.
    if (Math.abs(given.length - candidate.length) > allowed) continue;
    const slips = slipsBetween(given, candidate);
    if (slips <= allowed && (!best || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}
