import { sha256 } from '../../../platform/canonical.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import type { SqliteConnection } from './connection.ts';
import { AS_TYPED, type Tables, TRANSLITERATED } from './schema.ts';

/** Changes of one index, each part of a transaction. Synchronous. */

export function putEntry(connection: SqliteConnection, tables: Tables, entry: SearchEntry): void {
  const { id, kind, category, score } = entry;
  const wordsDigest = sha256(JSON.stringify([entry.exact, entry.names, entry.texts, entry.transliterated]));
  const values = [kind, category, score, entryDigest(entry)] as const;
  const [known] = connection.rows(`SELECT n, words_digest FROM ${tables.entries} WHERE id = ?`, id);
  // Scores change with every measurement, words hardly ever: then the full-text tables are left alone.
  if (known?.[1] === wordsDigest) {
    const set = 'kind = ?, category = ?, score = ?, digest = ?';
    connection.run(`UPDATE ${tables.entries} SET ${set} WHERE n = ?`, ...values, Number(known[0]));
    return;
  }
  if (known) forget(connection, tables, Number(known[0]));
  const names = entry.transliterated.names.join('\n');
  const [added] = connection.rows(
    `INSERT INTO ${tables.entries} (id, kind, category, score, digest, words_digest, names)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING n`,
    id,
    ...values,
    wordsDigest,
    names,
  );
  addWords(connection, tables, Number(added?.[0]), entry);
}

export function removeEntry(connection: SqliteConnection, tables: Tables, id: string): void {
  const [known] = connection.rows(`SELECT n FROM ${tables.entries} WHERE id = ?`, id);
  if (known) forget(connection, tables, Number(known[0]));
}

function addWords(connection: SqliteConnection, tables: Tables, n: number, entry: SearchEntry): void {
  const { exact, names, texts, transliterated } = entry;
  const addName = `INSERT INTO ${tables.exact} (spelling, name, n) VALUES (?, ?, ?)`;
  for (const name of exact) connection.run(addName, AS_TYPED, name, n);
  for (const name of transliterated.names) connection.run(addName, TRANSLITERATED, name, n);
  connection.run(
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
  connection.run(`INSERT INTO ${tables.trigrams} (rowid, names) VALUES (?, ?)`, n, spaced);
}

function forget(connection: SqliteConnection, tables: Tables, n: number): void {
  connection.run(`DELETE FROM ${tables.trigrams} WHERE rowid = ?`, n);
  connection.run(`DELETE FROM ${tables.words} WHERE rowid = ?`, n);
  connection.run(`DELETE FROM ${tables.exact} WHERE n = ?`, n);
  connection.run(`DELETE FROM ${tables.entries} WHERE n = ?`, n);
}

function three(names: readonly string[]): readonly [string, string, string] {
  return [names[0] ?? '', names[1] ?? '', names[2] ?? ''];
}
