import { sha256 } from '../../../platform/canonical.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import { namesOf } from '../query/emoji-index-words.ts';
import { formsOf } from '../query/word-forms.ts';
import { spacesIn } from '../ranking/relevance.ts';
import { COLUMNS, type KeyField, type Statements, type Tables } from './tables.ts';

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
function sqlOf({ entries, keys, words, trigrams }: Tables) {
  const columns = [...Object.values(COLUMNS.names), ...Object.values(COLUMNS.texts)];
  return {
    find: `SELECT n, words_digest FROM ${entries} WHERE id = ?`,
    change: `UPDATE ${entries} SET score = ?, digest = ? WHERE n = ?`,
    // Not with RETURNING: that begins a savepoint, for which the full-text tables write what they have gathered so far.
    add: `INSERT INTO ${entries} (n, id, score, digest, words_digest, spaces, names) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    added: 'SELECT last_insert_rowid()',
    addKey: `INSERT INTO ${keys} (field, value, n) VALUES (?, ?, ?)`,
    addWords: `INSERT INTO ${words} (rowid, ${columns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    addTrigrams: `INSERT INTO ${trigrams} (rowid, names) VALUES (?, ?)`,
    forget: [
      ...[trigrams, words].map((table) => `DELETE FROM ${table} WHERE rowid = ?`),
      ...[keys, entries].map((table) => `DELETE FROM ${table} WHERE n = ?`),
    ],
  };
}

function putEntry(statements: Statements, sql: Sql, entry: SearchEntry): void {
  const { id, score, transliterated } = entry;
  const wordsDigest = sha256(JSON.stringify([keysOf(entry), namesOf(entry), entry.texts, transliterated]));
  const values = [score, entryDigest(entry)] as const;
  const [known] = statements.rows(sql.find, id);
  // Scores change with every measurement, words hardly ever: then the full-text tables are left alone.
  if (known?.[1] === wordsDigest) {
    statements.run(sql.change, ...values, Number(known[0]));
    return;
  }
  // It keeps its number: sets of entries are as long as the greatest one.
  const number = known === undefined ? null : Number(known[0]);
  if (number !== null) forget(statements, sql, number);
  const names = transliterated.names;
  statements.run(sql.add, number, id, ...values, wordsDigest, spacesIn(names), names.join('\n'));
  const [added] = statements.rows(sql.added);
  addWords(statements, sql, Number(added?.[0]), entry);
}

/** The word of an entry without any: its coming and going changes the full-text table too. Nobody types this letter, of private use. */
const WORDLESS = '\u{E000}';

function addWords(statements: Statements, sql: Sql, n: number, entry: SearchEntry): void {
  for (const [field, value] of keysOf(entry)) statements.run(sql.addKey, field, value, n);
  const [named, told] = [formsOf(namesOf(entry)), formsOf(entry.texts)];
  const forms = [named.typed, named.sounds, named.roots, told.typed, told.sounds, told.roots];
  const columns = forms.map((words) => [...words].join(' '));
  if (columns.join('') === '') columns[0] = WORDLESS;
  statements.run(sql.addWords, n, ...columns);
  // The spaces around make trigrams of their own: of how a word begins and how it ends.
  const spaced = entry.transliterated.names.map((name) => ` ${name} `).join('');
  statements.run(sql.addTrigrams, n, spaced);
}

function keysOf({ kind, subtype, category, exact, transliterated }: SearchEntry) {
  const keys: readonly (readonly [KeyField, readonly (string | null | undefined)[]])[] = [
    ['kind', [kind]],
    ['subtype', [subtype]],
    ['category', [category]],
    ['typed', exact],
    ['transliterated', transliterated.names],
  ];
  return keys.flatMap(([field, values]) =>
    values.flatMap((value) => (typeof value === 'string' ? [[field, value] as const] : [])),
  );
}

function forget(statements: Statements, sql: Sql, n: number): void {
  for (const statement of sql.forget) statements.run(statement, n);
}
