import { PermanentError } from '../../../platform/errors.ts';
import { type DatabaseSync } from '../../../platform/sqlite.ts';
import { transact } from '../../../platform/sqlite-transactions.ts';

/**
 * The tables of the file: a list of the indexes, and five tables for each. `entries` has what is filtered, ordered and
 * verified; `exact` the names that a query may equal, as typed and transliterated; two full-text tables, without copies of the text, the words and
 * the trigrams of the names. Synchronous.
 * `seals` has those of the index.
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

const VERSION = 2;
const SCHEMA = `
  CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/** Makes the list of indexes where it is missing. @throws {PermanentError} where another release made the file. */
export function prepareFile(database: DatabaseSync, path: string): void {
  const versionOf = (): unknown => database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (versionOf() === 0) {
    transact(database, () => {
      // Another process may have made it while this one waited for the lock.
      if (versionOf() === 0) database.exec(SCHEMA);
    });
  }
  if (versionOf() !== VERSION) {
    throw new PermanentError(
      `${path} was made by another release. Delete the file: it is filled again from the documents.`,
    );
  }
}

/** The tables of an index; null where there is none. Part of a transaction: another process may drop it at any time. */
export function tablesOf(database: DatabaseSync, index: string): Tables | null {
  const row = database.prepare('SELECT number FROM indexes WHERE name = ?').get(index);
  return row ? tables(String(row['number'])) : null;
}

/** Part of a transaction. */
export function declareIndex(database: DatabaseSync, index: string): void {
  const row = database
    .prepare('INSERT INTO indexes (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING number')
    .get(index);
  if (!row) return;
  const { entries, exact, words, trigrams, seals } = tables(String(row['number']));
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

/** Part of a transaction. */
export function dropIndex(database: DatabaseSync, index: string): void {
  const found = tablesOf(database, index);
  if (!found) return;
  for (const table of Object.values(found)) database.exec(`DROP TABLE ${table}`);
  const forget = database.prepare('DELETE FROM indexes WHERE name = ?');
  // `run` tells the last row that was inserted, which may be one of the full-text tables' own: beyond what a number holds.
  forget.setReadBigInts(true);
  forget.run(index);
}

/** Numbers are never used again, so that a statement prepared for a dropped index cannot meet another one. */
function tables(number: string): Tables {
  return {
    entries: `entries_${number}`,
    exact: `exact_${number}`,
    words: `words_${number}`,
    trigrams: `trigrams_${number}`,
    seals: `seals_${number}`,
  };
}
