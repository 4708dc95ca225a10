import { sha256 } from '../../../platform/canonical.ts';
import type { SqliteStatements } from '../../../platform/sqlite-statements.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import { namesOf } from '../asking/emoji-words.ts';
import { formsOf } from '../asking/forms.ts';
import { AS_TYPED, COLUMNS, SUBTYPE, type Tables, TRANSLITERATED } from './tables.ts';

type Statements = Pick<SqliteStatements, 'rows' | 'run'>;

/** Adds entries, or replaces those of the same ids. */
export function putEntries(statements: Statements, tables: Tables, entries: readonly SearchEntry[]): void {
  const sql = sqlOf(tables);
  for (const entry of entries) putEntry(statements, sql, entry);
}

export function removeEntries(statements: Statements, tables: Tables, ids: readonly string[]): void {
  const sql = sqlOf(tables);
  for (const id of ids) {
    const [known] = statements.rows(sql.find, id);
    if (known) forget(statements, sql, Number(known[0]));
  }
}

type Sql = ReturnType<typeof sqlOf>;

/** Made once for many entries: a prepared statement is found by its text, and a text that is new each time is read each time. */
function sqlOf({ entries, exact, words, trigrams }: Tables) {
  const columns = [...Object.values(COLUMNS.names), ...Object.values(COLUMNS.texts)];
  return {
    find: `SELECT n, words_digest FROM ${entries} WHERE id = ?`,
    change: `UPDATE ${entries} SET kind = ?, category = ?, score = ?, digest = ? WHERE n = ?`,
    // Not with RETURNING: that begins a savepoint, for which the full-text tables write what they have gathered so far.
    add: `INSERT INTO ${entries} (id, kind, category, score, digest, words_digest, names) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    addName: `INSERT INTO ${exact} (spelling, name, n) VALUES (?, ?, ?)`,
    addWords: `INSERT INTO ${words} (rowid, ${columns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    addTrigrams: `INSERT INTO ${trigrams} (rowid, names) VALUES (?, ?)`,
    forget: [
      ...[trigrams, words].map((table) => `DELETE FROM ${table} WHERE rowid = ?`),
      ...[exact, entries].map((table) => `DELETE FROM ${table} WHERE n = ?`),
    ],
  };
}

function putEntry(statements: Statements, sql: Sql, entry: SearchEntry): void {
  const { id, kind, subtype, category, score } = entry;
  const { exact, texts, transliterated } = entry;
  const sought = [exact, namesOf(entry), texts, transliterated, ...(subtype === undefined ? [] : [subtype])];
  const wordsDigest = sha256(JSON.stringify(sought));
  const values = [kind, category, score, entryDigest(entry)] as const;
  const [known] = statements.rows(sql.find, id);
  // Scores change with every measurement, words hardly ever: then the full-text tables are left alone.
  if (known?.[1] === wordsDigest) {
    statements.run(sql.change, ...values, Number(known[0]));
    return;
  }
  if (known) forget(statements, sql, Number(known[0]));
  statements.run(sql.add, id, ...values, wordsDigest, transliterated.names.join('\n'));
  const [added] = statements.rows('SELECT last_insert_rowid()');
  addWords(statements, sql, Number(added?.[0]), entry);
}

function addWords(statements: Statements, sql: Sql, n: number, entry: SearchEntry): void {
  const { subtype, exact, texts, transliterated } = entry;
  for (const name of exact) statements.run(sql.addName, AS_TYPED, name, n);
  for (const name of transliterated.names) statements.run(sql.addName, TRANSLITERATED, name, n);
  if (subtype !== undefined) statements.run(sql.addName, SUBTYPE, subtype, n);
  const [named, told] = [formsOf(namesOf(entry)), formsOf(texts)];
  const forms = [named.typed, named.sounds, named.roots, told.typed, told.sounds, told.roots];
  statements.run(sql.addWords, n, ...forms.map((words) => words.join(' ')));
  // The spaces around make trigrams of their own: of how a word begins and how it ends.
  const spaced = transliterated.names.map((name) => ` ${name} `).join('');
  statements.run(sql.addTrigrams, n, spaced);
}

function forget(statements: Statements, sql: Sql, n: number): void {
  for (const statement of sql.forget) statements.run(statement, n);
}
