import { distanceTo, trigramsOf } from '../edits.ts';
import { quoted } from './conditions.ts';
import type { SearchFile } from './search-file.ts';
import { numbersOf } from './candidates.ts';
import type { Tables } from './tables.ts';

/** How many names are compared letter by letter: those that share the most telling trigrams with the query. */
const COMPARED = 300;
/** Into which weights are sorted roughly. */
const STEPS = 1024;

/** The entries with a name that could have been meant, the nearest first: the numbers of those equally near. */
export function nearMisses(
  file: SearchFile,
  tables: Tables,
  sounds: readonly string[],
): readonly (readonly number[])[] {
  const likely = alike(file, tables, trigramsOf(sounds));
  const rows = file.rows(
    `SELECT e.n, e.names FROM json_each(?) j CROSS JOIN ${tables.entries} e ON e.n = j.value`,
    JSON.stringify(likely),
  );
  const groups: number[][] = [];
  for (const [n, names] of rows) {
    const distance = distanceTo(sounds, String(names).split('\n'));
    if (distance !== null) (groups[distance] ??= []).push(Number(n));
  }
  return groups.filter(Boolean);
}

/** Counted here: FTS5 would look into each entry that has any of them, and most entries have one. */
function alike(file: SearchFile, tables: Tables, trigrams: readonly string[]): readonly number[] {
  if (trigrams.length === 0) return [];
  const [row] = file.rows(`SELECT count(*) FROM ${tables.entries}`);
  const count = Number(row?.[0]);
  const sql = `SELECT rowid AS n FROM ${tables.trigrams} WHERE ${tables.trigrams} MATCH ?`;
  const lists = trigrams.map((trigram) => numbersOf(file, sql, quoted(trigram)));
  const weights = new Float64Array(Math.max(0, ...lists.map((list) => list.at(-1) ?? 0)) + 1);
  let most = 0;
  for (const list of lists) {
    // The rarer, the more telling.
    const weight = Math.log(1 + count / list.length);
    for (const n of list) weights[n] = (weights[n] ?? 0) + weight;
    if (list.length > 0) most += weight;
  }
  return heaviest(weights, most, COMPARED);
}

/** The places of the greatest weights, the greatest first and the first ones of equal ones; none of those without any. */
function heaviest(weights: Float64Array, most: number, count: number): readonly number[] {
  // Counted by steps first, so that few are left to be sorted.
  const stepOf = (n: number): number => Math.ceil(((weights[n] ?? 0) / most) * STEPS);
  const steps = new Uint32Array(STEPS + 1);
  for (let n = 0; n < weights.length; n += 1) {
    const step = stepOf(n);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  let least = STEPS;
  for (let sum = steps[least] ?? 0; sum < count && least > 1; sum += steps[least] ?? 0) least -= 1;
  const found: { readonly n: number; readonly weight: number }[] = [];
  for (let n = 0; n < weights.length; n += 1) {
    if (stepOf(n) >= least) found.push({ n, weight: weights[n] ?? 0 });
  }
  found.sort((one, other) => other.weight - one.weight || one.n - other.n);
  return found.slice(0, count).map(({ n }) => n);
}
