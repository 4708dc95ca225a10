import { distanceTo, trigramsOf } from '../edits.ts';
import { quoted } from './conditions.ts';
import type { SqliteConnection } from './connection.ts';
import { numbersOf } from './numbers.ts';
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
  const weights = new Map<number, number>();
  const sql = `SELECT rowid AS n FROM ${tables.trigrams} WHERE ${tables.trigrams} MATCH ?`;
  for (const trigram of trigrams) {
    const having = numbersOf(connection, sql, quoted(trigram));
    // The rarer, the more telling.
    const weight = Math.log(1 + count / having.length);
    for (const n of having) weights.set(n, (weights.get(n) ?? 0) + weight);
  }
  const least = Float64Array.from(weights.values()).sort().at(-COMPARED) ?? 0;
  const likely: { readonly n: number; readonly weight: number }[] = [];
  for (const [n, weight] of weights) if (weight >= least) likely.push({ n, weight });
  return likely
    .toSorted((one, other) => other.weight - one.weight || one.n - other.n)
    .slice(0, COMPARED)
    .map(({ n }) => n);
}
