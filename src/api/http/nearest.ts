/**
 * The candidate that was probably meant: the one that takes the fewest slips (a letter left out, added, changed, or
 * swapped with its neighbour) to reach, the first of those that are equally near. null where none is near: a third of
 * the letters may be wrong, three at most, and something must be right.
 */
export function nearest(text: string, candidates: readonly string[]): string | null {
  const given = text.toLowerCase();
  let best: { readonly candidate: string; readonly slips: number } | null = null;
  for (const candidate of candidates) {
    const longer = Math.max(given.length, candidate.length);
    const allowed = Math.min(MAX_SLIPS, longer - 1, Math.max(1, Math.floor(longer / 3)));
    // Each slip changes the length by one at most, so long names cost no time here.
    if (Math.abs(given.length - candidate.length) > allowed) continue;
    const slips = distance(given, candidate);
    if (slips <= allowed && (!best || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate ?? null;
}

const MAX_SLIPS = 3;

/** Damerau's distance, row by row, in the form that edits no letter twice (optimal string alignment). */
function distance(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = Number(last[j]) + (a[i] === b[j] ? 0 : 1);
      const isSwapped = j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwapped ? Number(beforeLast[j - 1]) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, Number(last[j + 1]) + 1, Number(row[j]) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return Number(last[b.length]);
}
