import type { DatabaseSync } from '../../../platform/sqlite.ts';
import { missing } from '../checks.ts';

/**
 * The tables of the file: a list of the indexes, and five tables for each. `entries` has what is filtered, ordered and
 * verified; `exact` the names that a query may equal, as typed and transliterated; two full-text tables, without copies
 * of the text, the words and the trigrams of the names; `seals` has the seals of the index.
 *
 * All functions are synchronous; those that change or read an index are a part of their caller's transaction, because
 * another process may drop it at any time.
 */
export interface Tables {
  readonly entries: string;
  readonly exact: string;
  readonly words: string;
  readonly trigrams: string;
  readonly seals: string;
}

/** Columns of the full-text table: up to three names and the texts, as they are and transliterated. */
export const NAMES = ['n1', 'n2', 'n3'] as const;
export const SOUNDS = ['s1', 's2', 's3'] as const;
export const TEXT = 'text';
export const TEXT_SOUND = 'text_sound';

/** Spellings of the names in `exact`. */
export const AS_TYPED = 'typed';
export const TRANSLITERATED = 'transliterated';

/** The list of indexes. */
export const SCHEMA = {
  version: 2,
  sql: 'CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;',
  otherwise: 'was made by another release. Delete the file: it is filled again from the documents.',
};

/** The tables of an index; null where there is none. */
export function tablesOf(database: DatabaseSync, index: string): Tables | null {
  const row = database.prepare('SELECT number FROM indexes WHERE name = ?').get(index);
  return row ? tablesOfNumber(String(row['number'])) : null;
}

/** The tables of an index. @throws {RetryableError} where there is none. */
export function requireTables(database: DatabaseSync, index: string): Tables {
  const found = tablesOf(database, index);
  if (!found) throw missing(index);
  return found;
}

export function declareIndex(database: DatabaseSync, index: string): void {
  const row = database
    .prepare('INSERT INTO indexes (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING number')
    .get(index);
  if (!row) return;
  const { entries, exact, words, trigrams, seals } = tablesOfNumber(String(row['number']));
  const columns = [...NAMES, TEXT, ...SOUNDS, TEXT_SOUND].join(', ');
  // Text arrives folded and in words (searchWords), so the tokenizer has nothing to do but split it at spaces.
  database.exec(`
    CREATE TABLE ${entries} (
      n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, category TEXT, score REAL NOT NULL,
      digest TEXT NOT NULL, words_digest TEXT NOT NULL, names TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${exact} (
      spelling TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (spelling, name, n)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${seals} (seal TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE INDEX ${exact}_n ON ${exact} (n);
    CREATE VIRTUAL TABLE ${words} USING fts5 (
      ${columns}, content = '', contentless_delete = 1, prefix = '1 2',
      tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    );
    CREATE VIRTUAL TABLE ${trigrams} USING fts5 (
      names, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
  `);
}

export function dropIndex(database: DatabaseSync, index: string): void {
  const found = tablesOf(database, index);
  if (!found) return;
  for (const table of Object.values(found)) database.exec(`DROP TABLE ${table}`);
  const deletion = database.prepare('DELETE FROM indexes WHERE name = ?');
  // `run` tells the last row that was inserted, which may be one of the full-text tables' own: beyond what a number holds.
  deletion.setReadBigInts(true);
  deletion.run(index);
}

/** Numbers are never used again, so that a statement prepared for a dropped index cannot meet another one. */
function tablesOfNumber(number: string): Tables {
  return {
    entries: `entries_${number}`,
    exact: `exact_${number}`,
    words: `words_${number}`,
    trigrams: `trigrams_${number}`,
    seals: `seals_${number}`,
  };
}
