import { distanceTo, trigramsOf } from '../edits.ts';
import { quoted } from './conditions.ts';
import type { SqliteConnection } from './connection.ts';
import { numbersOf } from './candidates.ts';
import type { Tables } from './tables.ts';

/** How many names are compared letter by letter: those that share the most telling trigrams with the query. */
const COMPARED = 300;

/** The entries with a name that could have been meant, the nearest first: the numbers of those equally near. */
export function nearMisses(
  connection: SqliteConnection,
  tables: Tables,
  sounds: readonly string[],
): readonly (readonly number[])[] {
  const likely = alike(connection, tables, trigramsOf(sounds));
  const rows = connection.rows(
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
function alike(connection: SqliteConnection, tables: Tables, trigrams: readonly string[]): readonly number[] {
  if (trigrams.length === 0) return [];
  const [row] = connection.rows(`SELECT count(*) FROM ${tables.entries}`);
  const count = Number(row?.[0]);
  const lists = trigrams.map((trigram) =>
    numbersOf(
      connection,
      `SELECT rowid AS n FROM ${tables.trigrams} WHERE ${tables.trigrams} MATCH ?`,
      quoted(trigram),
    ),
  );
  const weights = new Float64Array(Math.max(0, ...lists.map((list) => list.at(-1) ?? 0)) + 1);
  for (const list of lists) {
    // The rarer, the more telling.
    const weight = Math.log(1 + count / list.length);
    for (const n of list) weights[n] = (weights[n] ?? 0) + weight;
  }
  return heaviest(weights, COMPARED);
}

/** The places of the greatest weights, the greatest first and the first ones of equal ones; none of those without any. */
function heaviest(weights: Float64Array, count: number): readonly number[] {
  let found: { readonly n: number; readonly weight: number }[] = [];
  let least = 0;
  const keep = (): void => {
    found = found.toSorted((one, other) => other.weight - one.weight || one.n - other.n).slice(0, count);
    if (found.length === count) least = found.at(-1)?.weight ?? least;
  };
  weights.forEach((weight, n) => {
    if (weight <= least) return;
    found.push({ n, weight });
    // Not at each of them: most are lighter than what was found by then.
    if (found.length === 2 * count) keep();
  });
  keep();
  return found.map(({ n }) => n);
}
