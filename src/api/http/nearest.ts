/** The candidate that takes the fewest single-character edits to reach; the first of those that are equally near. */
export function nearest(text: string, candidates: readonly string[]): string | null {
  // A candidate is a short name, so what follows its length decides nothing and would only cost time.
  const compared = text.toLowerCase().slice(0, 64);
  let best: { readonly candidate: string; readonly edits: number } | null = null;
  for (const candidate of candidates) {
    const edits = editDistance(compared, candidate);
    if (!best || edits < best.edits) best = { candidate, edits };
  }
  return best?.candidate ?? null;
}

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substituted = Number(row[j]) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(substituted, Number(row[j + 1]) + 1, Number(next[j]) + 1));
    }
    row = next;
  }
  return Number(row[b.length]);
}
