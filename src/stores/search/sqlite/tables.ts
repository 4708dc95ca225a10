import type { SqliteConnection } from '../../../platform/sqlite/connection.ts';
import type { DatabaseSync } from '../../../platform/sqlite/node-sqlite.ts';
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
  version: 5,
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

/**
 * So many pieces of a level are merged to one of the next while an index is filled. By four, which is the default, each word is written
 * once more; what is left is merged when the index is sealed (`mergePieces`).
 */
const MERGED_AT_ONCE = 8;

export function declareIndex(statements: Statements, database: DatabaseSync, index: string): void {
  const added = statements.run('INSERT INTO indexes (name) VALUES (?) ON CONFLICT DO NOTHING', index);
  if (added === 0) return;
  const { entries, keys, words, trigrams, seals } = requireTables(statements, index);
  const columns = Object.values(COLUMNS)
    .flatMap((zone) => Object.values(zone))
    .join(', ');
  // Text arrives folded and in words (searchWords), so the tokenizer has nothing to do but split it at spaces. Nobody asks for words
  // that stand side by side, so of a word only its columns are kept.
  database.exec(`
    CREATE TABLE ${entries} (
      n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, score REAL NOT NULL, spaces INTEGER NOT NULL, names TEXT NOT NULL,
      digest TEXT NOT NULL, words_digest TEXT NOT NULL
    ) STRICT;
    CREATE TABLE ${keys} (
      field TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (field, value, n)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${seals} (seal TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE INDEX ${keys}_n ON ${keys} (n);
    CREATE VIRTUAL TABLE ${words} USING fts5 (
      ${columns}, content = '', contentless_delete = 1, detail = column, prefix = '1 2',
      tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
    );
    CREATE VIRTUAL TABLE ${trigrams} USING fts5 (
      names, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
    );
    INSERT INTO ${words} (${words}, rank) VALUES ('automerge', ${MERGED_AT_ONCE});
    INSERT INTO ${trigrams} (${trigrams}, rank) VALUES ('automerge', ${MERGED_AT_ONCE});
  `);
}

/** Pages that one step merges: some 10 ms. */
const MERGED_PAGES = 256;

/**
 * Merges pieces of a full-text table where four are of one level (https://www.sqlite.org/fts5.html, section 6.8): a search looks for
 * each word in all of them, and filling leaves some fifteen. Whether there may be more to merge. Part of a transaction.
 */
export function mergePieces(statements: Statements, table: string | null): boolean {
  if (table === null) return false;
  const changes = (): number => Number(statements.rows('SELECT total_changes()')[0]?.[0]);
  const before = changes();
  statements.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${MERGED_PAGES})`);
  // The order itself counts as one row.
  return changes() - before > 1;
}

export function dropIndex(statements: Statements, database: DatabaseSync, index: string): void {
  const found = tablesOf(statements, index);
  if (!found) return;
  for (const table of Object.values(found)) database.exec(`DROP TABLE ${table}`);
  statements.run('DELETE FROM indexes WHERE name = ?', index);
}
