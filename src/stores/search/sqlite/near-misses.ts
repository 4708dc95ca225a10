import { distanceTo, trigramsOf } from '../edits.ts';
import type { SqliteConnection } from './connection.ts';
import type { Tables } from './tables.ts';

/** How many names are compared letter by letter: those that share the most telling trigrams with the query. */
const COMPARED = 300;

/** The entries with a name that could have been meant, the nearest first: the numbers of those equally near. */
export function nearMisses(
  connection: SqliteConnection,
  tables: Tables,
  sounds: readonly string[],
): readonly (readonly number[])[] {
  const trigrams = trigramsOf(sounds);
  if (trigrams.length === 0) return [];
  const rows = connection.rows(
    `SELECT e.n, e.names FROM (
       SELECT rowid FROM ${tables.trigrams} WHERE ${tables.trigrams} MATCH ? ORDER BY rank, rowid LIMIT ${COMPARED}
     ) f JOIN ${tables.entries} e ON e.n = f.rowid`,
    trigrams.map((trigram) => `"${trigram}"`).join(' OR '),
  );
  const groups: number[][] = [];
  for (const [n, names] of rows) {
    const distance = distanceTo(sounds, String(names).split('\n'));
    if (distance !== null) (groups[distance] ??= []).push(Number(n));
  }
  return groups.filter(Boolean);
}
