/**
 * How many slips of the finger lie between two words: letters that are missing, too many, wrong, or swapped with their
 * neighbour (the optimal string alignment distance: Damerau-Levenshtein that edits no place twice). Pure.
 */

/** Infinity where there are more than `most`. */
export function slipsBetween(a: string, b: string, most = Infinity): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  const slips = slipsToBeginnings(a, b, most)?.[b.length] ?? Infinity;
  return slips <= most ? slips : Infinity;
}

/** The fewest to `b` or to any beginning of it; Infinity where each takes more than `most`. */
export function slipsToBeginning(a: string, b: string, most = Infinity): number {
  const all = slipsToBeginnings(a, b, most);
  let fewest = Infinity;
  const longest = Math.min(b.length, a.length + most);
  for (let length = Math.max(0, a.length - most); all && length <= longest; length += 1)
    fewest = Math.min(fewest, at(all, length));
  return fewest <= most ? fewest : Infinity;
}

type Row = Uint16Array;

/** Kept from call to call: a search compares thousands of words. */
let rows: [Row, Row, Row] = rowsOf(128);

function rowsOf(columns: number): [Row, Row, Row] {
  return [new Uint16Array(columns), new Uint16Array(columns), new Uint16Array(columns)];
}

/**
 * The slips from `a` to each beginning of `b`, by their length. Read before the next call. null as soon as it is seen that each
 * takes more than `most`: so does one whose length differs by more, and its place is not to be read.
 */
function slipsToBeginnings(a: string, b: string, most: number): Row | null {
  if (rows[0].length <= b.length) rows = rowsOf(2 * b.length + 1);
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const letter = a.charCodeAt(row - 1);
    const letterBefore = row > 1 ? a.charCodeAt(row - 2) : NONE;
    current[0] = row;
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    let fewest = from === 1 ? row : FAR;
    for (let column = from, left = fewest; column <= to; column += 1) {
      const other = b.charCodeAt(column - 1);
      let slips = Math.min(at(last, column) + 1, left + 1, at(last, column - 1) + (letter === other ? 0 : 1));
      if (column > 1 && other === letterBefore && letter === b.charCodeAt(column - 2))
        slips = Math.min(slips, at(beforeLast, column - 2) + 1);
      current[column] = left = slips;
      if (slips < fewest) fewest = slips;
    }
    // What the next row reads beside its own places.
    if (from > 1) current[from - 1] = FAR;
    if (to < b.length) current[to + 1] = FAR;
    // From here on it never becomes fewer: a swap goes back two rows, but takes a slip itself.
    if (fewest > most) return null;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last;
}

/** The code of no letter. */
const NONE = -1;
/** More slips than there ever are. */
const FAR = 0xff_ff;

function at(row: Row, column: number): number {
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
    const slips = slipsBetween(given, candidate, allowed);
    if (slips <= allowed && (!best || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}
