import { nameKey } from '../../../platform/search-text.ts';
import type { Bindable } from '../../../platform/sqlite-statements.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { anyBeginning, matchesByWords, matchInside, type Words, wordsOf } from './matching.ts';
import { nearMisses } from './near-misses.ts';
import { type Selection, selectionOf } from './selection.ts';
import { AS_TYPED, type Tables, TRANSLITERATED } from './tables.ts';

/** What a query's pages are cut from: the best matches, at most one more than can be reached, all of different ids. */
export type Ranking = readonly string[];

const ENOUGH = MAX_TOTAL + 1;

/** With fewer matches by words than this, names are looked through for words inside words and for slips. */
const FEW = 20;

/**
 * The matches in order: names equal to the query, then kind of match by kind of match, each by score and id. So
 * relevance is the kind of match, and popularity decides among equals. Part of a transaction. Synchronous.
 */
export function rank(
  connection: SqliteConnection,
  tables: Tables,
  query: Omit<SearchQuery, 'offset' | 'limit'>,
): Ranking {
  const selection = selectionOf(query);
  const found = new Set<string>();
  const add = (sql: string, ...values: readonly Bindable[]): void => {
    if (found.size >= ENOUGH) return;
    // Those found already may come again, so that many more are asked for.
    const rows = connection.rows(sql, ...values, ...selection.values, ENOUGH + found.size);
    for (const [id] of rows) if (found.size < ENOUGH) found.add(String(id));
  };
  const words = wordsOf(query.q);
  const named = `e.n IN (SELECT n FROM ${tables.exact} WHERE spelling = ? AND name = ?)`;
  add(best(tables, selection, named), AS_TYPED, nameKey(query.q));
  add(best(tables, selection, named), TRANSLITERATED, words.sounds.join(' '));
  const byWords = matching(tables, selection, tables.words);
  for (const expression of matchesByWords(words)) add(byWords, expression);
  if (isSparse(connection, tables, words)) {
    const inside = matchInside(words);
    if (inside !== null) add(matching(tables, selection, tables.trigrams), inside);
    const near = best(tables, selection, 'e.n IN (SELECT value FROM json_each(?))');
    for (const numbers of nearMisses(connection, tables, words)) add(near, JSON.stringify(numbers));
  }
  return [...found];
}

function best({ entries }: Tables, { sql }: Selection, condition: string): string {
  return `SELECT e.id FROM ${entries} e WHERE ${condition}${sql} ORDER BY e.score DESC, e.id LIMIT ?`;
}

function matching({ entries }: Tables, { sql }: Selection, table: string): string {
  return `SELECT e.id FROM ${table} f CROSS JOIN ${entries} e ON e.n = f.rowid
    WHERE f.${table} MATCH ?${sql} ORDER BY e.score DESC, e.id LIMIT ?`;
}

/** Judged without filters and exclusions: they select from the matches, and must not bring others in. */
function isSparse(connection: SqliteConnection, { words: table }: Tables, words: Words): boolean {
  const expression = anyBeginning(words);
  if (expression === '') return false;
  const rows = connection.rows(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ?`, expression, FEW);
  return rows.length < FEW;
}
