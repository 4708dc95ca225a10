import type { DatabaseSync } from '../../../platform/sqlite/sqlite.ts';
import { COLUMNS, requireTables, type Statements, tablesOf } from './tables.ts';

/**
 * So many pieces of a level are merged to one of the next. By four, which is the default, each word is written once more, and a
 * search looks into as many pieces in all.
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

export function dropIndex(statements: Statements, database: DatabaseSync, index: string): void {
  const found = tablesOf(statements, index);
  if (!found) return;
  for (const table of Object.values(found)) database.exec(`DROP TABLE ${table}`);
  statements.run('DELETE FROM indexes WHERE name = ?', index);
}
