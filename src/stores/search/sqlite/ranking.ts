import { nameKey } from '../../../platform/search-text.ts';
import type { Bindable } from '../../../platform/sqlite-transactions.ts';
import { distanceTo, trigramsOf } from '../edits.ts';
import { MAX_TOTAL, type SearchQuery } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { anyBeginning, matchesByWords, matchInside, wordsOf, type Words } from './matching.ts';
import { AS_TYPED, type Tables, TRANSLITERATED } from './tables.ts';

/** What a query's pages are cut from: the best matches, at most one more than can be reached, all of different ids. */
export type Ranking = readonly string[];

const ENOUGH = MAX_TOTAL + 1;

/** With fewer matches by words than this, names are looked through for words inside words and for slips. */
const FEW = 20;

/** How many names are compared letter by letter: those that share the most telling trigrams with the query. */
const COMPARED = 300;

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

interface Selection {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

/** Filters and exclusions, as conditions on `e`. */
function selectionOf({
  filter: { kind, categories },
  exclude,
}: Pick<SearchQuery, 'filter' | 'exclude'>): Selection {
  const conditions: string[] = [];
  const values: Bindable[] = [];
  if (kind !== undefined) {
    conditions.push(' AND e.kind = ?');
    values.push(kind);
  }
  if (categories !== undefined) {
    conditions.push(' AND e.category IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(categories));
  }
  if (exclude.length > 0) {
    conditions.push(' AND e.id NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(exclude));
  }
  return { sql: conditions.join(''), values };
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

/** The entries with a name that could have been meant, the nearest first: the numbers of those equally near. */
function nearMisses(
  connection: SqliteConnection,
  tables: Tables,
  { sounds }: Words,
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
