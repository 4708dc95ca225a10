import { sha256 } from '../../../platform/canonical.ts';
import type { SqliteStatements } from '../../../platform/sqlite-statements.ts';
import { entryDigest, type SearchEntry } from '../port.ts';
import { formsOf } from '../asking/forms.ts';
import { AS_TYPED, COLUMNS, SUBTYPE, type Tables, TRANSLITERATED } from './tables.ts';

type Statements = Pick<SqliteStatements, 'rows' | 'run'>;

/** Adds an entry, or replaces the one of this id. */
export function putEntry(statements: Statements, tables: Tables, entry: SearchEntry): void {
  const { id, kind, subtype, category, score } = entry;
  const { exact, names, texts, transliterated } = entry;
  const sought = [exact, names, texts, transliterated, ...(subtype === undefined ? [] : [subtype])];
  const wordsDigest = sha256(JSON.stringify(sought));
  const values = [kind, category, score, entryDigest(entry)] as const;
  const [known] = statements.rows(`SELECT n, words_digest FROM ${tables.entries} WHERE id = ?`, id);
  // Scores change with every measurement, words hardly ever: then the full-text tables are left alone.
  if (known?.[1] === wordsDigest) {
    const set = 'kind = ?, category = ?, score = ?, digest = ?';
    statements.run(`UPDATE ${tables.entries} SET ${set} WHERE n = ?`, ...values, Number(known[0]));
    return;
  }
  if (known) forget(statements, tables, Number(known[0]));
  // Not with RETURNING: that begins a savepoint, for which the full-text tables write what they have gathered so far.
  statements.run(
    `INSERT INTO ${tables.entries} (id, kind, category, score, digest, words_digest, names) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    id,
    ...values,
    wordsDigest,
    transliterated.names.join('\n'),
  );
  const [added] = statements.rows('SELECT last_insert_rowid()');
  addWords(statements, tables, Number(added?.[0]), entry);
}

export function removeEntry(statements: Statements, tables: Tables, id: string): void {
  const [known] = statements.rows(`SELECT n FROM ${tables.entries} WHERE id = ?`, id);
  if (known) forget(statements, tables, Number(known[0]));
}

function addWords(statements: Statements, tables: Tables, n: number, entry: SearchEntry): void {
  const { subtype, exact, names, texts, transliterated } = entry;
  const addName = `INSERT INTO ${tables.exact} (spelling, name, n) VALUES (?, ?, ?)`;
  for (const name of exact) statements.run(addName, AS_TYPED, name, n);
  for (const name of transliterated.names) statements.run(addName, TRANSLITERATED, name, n);
  if (subtype !== undefined) statements.run(addName, SUBTYPE, subtype, n);
  const [named, told] = [formsOf(names), formsOf(texts)];
  const forms = [named.typed, named.sounds, named.roots, told.typed, told.sounds, told.roots];
  const { names: ofNames, texts: ofTexts } = COLUMNS;
  const columns = [...Object.values(ofNames), ...Object.values(ofTexts)].join(', ');
  statements.run(
    `INSERT INTO ${tables.words} (rowid, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    n,
    ...forms.map((words) => words.join(' ')),
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
