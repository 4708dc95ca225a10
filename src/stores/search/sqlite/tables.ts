import { sha256 } from '../../../platform/canonical.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { type DatabaseSync, versionOf } from '../../../platform/sqlite.ts';
import { type SqliteStatements, transact } from '../../../platform/sqlite-transactions.ts';
import { missing } from '../checks.ts';
import { entryDigest, type SearchEntry } from '../port.ts';

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

const VERSION = 2;
const SCHEMA = `
  CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;
  PRAGMA user_version = ${VERSION};
`;

/** Makes the list of indexes where it is missing. @throws {PermanentError} where another release made the file. */
export function prepareFile(database: DatabaseSync, path: string): void {
  if (versionOf(database) === 0) {
    transact(database, () => {
      // Another process may have made it while this one waited for the lock.
      if (versionOf(database) === 0) database.exec(SCHEMA);
    });
  }
  if (versionOf(database) !== VERSION) {
    throw new PermanentError(
      `${path} was made by another release. Delete the file: it is filled again from the documents.`,
    );
  }
}

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

type Statements = Pick<SqliteStatements, 'rows' | 'run'>;

/** Adds an entry, or replaces the one of this id. */
export function putEntry(statements: Statements, tables: Tables, entry: SearchEntry): void {
  const { id, kind, category, score } = entry;
  const wordsDigest = sha256(JSON.stringify([entry.exact, entry.names, entry.texts, entry.transliterated]));
  const values = [kind, category, score, entryDigest(entry)] as const;
  const [known] = statements.rows(`SELECT n, words_digest FROM ${tables.entries} WHERE id = ?`, id);
  // Scores change with every measurement, words hardly ever: then the full-text tables are left alone.
  if (known?.[1] === wordsDigest) {
    const set = 'kind = ?, category = ?, score = ?, digest = ?';
    statements.run(`UPDATE ${tables.entries} SET ${set} WHERE n = ?`, ...values, Number(known[0]));
    return;
  }
  if (known) forget(statements, tables, Number(known[0]));
  const names = entry.transliterated.names.join('\n');
  const [added] = statements.rows(
    `INSERT INTO ${tables.entries} (id, kind, category, score, digest, words_digest, names)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n`,
    id,
    ...values,
    wordsDigest,
    names,
  );
  addWords(statements, tables, Number(added?.[0]), entry);
}

export function removeEntry(statements: Statements, tables: Tables, id: string): void {
  const [known] = statements.rows(`SELECT n FROM ${tables.entries} WHERE id = ?`, id);
  if (known) forget(statements, tables, Number(known[0]));
}

function addWords(statements: Statements, tables: Tables, n: number, entry: SearchEntry): void {
  const { exact, names, texts, transliterated } = entry;
  const addName = `INSERT INTO ${tables.exact} (spelling, name, n) VALUES (?, ?, ?)`;
  for (const name of exact) statements.run(addName, AS_TYPED, name, n);
  for (const name of transliterated.names) statements.run(addName, TRANSLITERATED, name, n);
  statements.run(
    `INSERT INTO ${tables.words} (rowid, n1, n2, n3, text, s1, s2, s3, text_sound)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    n,
    ...three(names),
    texts.join(' '),
    ...three(transliterated.names),
    transliterated.texts.join(' '),
  );
  // The spaces around make trigrams of their own: of how a word begins and how it ends.
  const spaced = transliterated.names.map((name) => ` ${name} `).join('');
  statements.run(`INSERT INTO ${tables.trigrams} (rowid, names) VALUES (?, ?)`, n, spaced);
}

function forget(statements: Statements, tables: Tables, n: number): void {
  statements.run(`DELETE FROM ${tables.trigrams} WHERE rowid = ?`, n);
  statements.run(`DELETE FROM ${tables.words} WHERE rowid = ?`, n);
  statements.run(`DELETE FROM ${tables.exact} WHERE n = ?`, n);
  statements.run(`DELETE FROM ${tables.entries} WHERE n = ?`, n);
}

function three(names: readonly string[]): readonly [string, string, string] {
  return [names[0] ?? '', names[1] ?? '', names[2] ?? ''];
}
