import type { SqliteConnection } from '../../../platform/sqlite/connection.ts';
import { missing } from '../checks.ts';

/**
 * The tables of the file: a list of the indexes, and five tables for each. `entries` has what is ordered and
 * verified; `keys` what is looked up whole: the names that a query may equal, as typed and transliterated, kind, subtype and
 * category; two full-text tables, without copies of the text, the words and the trigrams of the names; `seals` has the seals
 * of the index.
 *
 * All functions are synchronous; those that change or read an index are a part of their caller's transaction, because
 * another process may drop it at any time.
 */
export type Tables = ReturnType<typeof tablesOfNumber>;

export type Statements = Pick<SqliteConnection, 'rows' | 'run'>;

/** Columns of the full-text table: the words of names and texts in each of their forms. */
export const COLUMNS = {
  names: { typed: 'names', sounds: 'names_sounds', roots: 'names_roots' },
  texts: { typed: 'texts', sounds: 'texts_sounds', roots: 'texts_roots' },
} as const;

/** What `keys` has. */
export type KeyField = 'typed' | 'transliterated' | 'kind' | 'subtype' | 'category';

/** The list of indexes. */
export const SCHEMA = {
  version: 4,
  sql: 'CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;',
  otherwise: 'was made by another release. Delete the file: it is filled again from the documents.',
};

/** The tables of an index; null where there is none. */
export function tablesOf(statements: Statements, index: string): Tables | null {
  const [row] = statements.rows('SELECT number FROM indexes WHERE name = ?', index);
  return row ? tablesOfNumber(String(row[0])) : null;
}

/** The tables of an index. @throws {RetryableError} where there is none. */
export function requireTables(statements: Statements, index: string): Tables {
  const found = tablesOf(statements, index);
  if (!found) throw missing(index);
  return found;
}

/** Numbers are never used again, so that a statement prepared for a dropped index cannot meet another one. */
function tablesOfNumber(number: string) {
  return {
    entries: `entries_${number}`,
    keys: `keys_${number}`,
    words: `words_${number}`,
    trigrams: `trigrams_${number}`,
    seals: `seals_${number}`,
  } as const;
}
