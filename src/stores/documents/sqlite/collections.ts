import { PermanentError } from '../../../platform/errors.ts';
import { type DatabaseSync } from '../../../platform/sqlite.ts';
import { transact } from '../../../platform/sqlite-transactions.ts';
import type { CollectionSpec, Index, Table } from '../port.ts';
import { orderOf } from '../query.ts';
import { indexSql, tableOf, viewSql } from './sql.ts';

/**
 * Which collections and indexes the file has: a table for each collection, and two that list them. Synchronous. What
 * is listed is asked for in the transaction that needs it, since another process may declare or drop at any time.
 */

const SCHEMA = `
  CREATE TABLE collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, paths TEXT NOT NULL, UNIQUE (collection, paths)
  ) STRICT;
  PRAGMA user_version = 1;
`;

/** Makes the two lists where they are missing. @throws {PermanentError} where a newer release made the file. */
export function prepareFile(database: DatabaseSync, path: string): void {
  const versionOf = (): unknown => database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (versionOf() === 0) {
    transact(database, () => {
      // Another process may have made them while this one waited for the lock.
      if (versionOf() === 0) database.exec(SCHEMA);
    });
  }
  if (versionOf() !== 1) throw new PermanentError(`${path} was made by a newer release. Run that release.`);
}

/** Part of a transaction. Indexes that are no longer declared stay: another process may still ask through them. */
export function declareCollection(database: DatabaseSync, spec: CollectionSpec): void {
  const { name, indexes } = spec;
  const added = database
    .prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING')
    .run(name);
  if (added.changes > 0) {
    database.exec(
      `CREATE TABLE ${tableOf(name)} (id TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL) STRICT`,
    );
  }
  const remember = database.prepare(
    'INSERT INTO indexes (collection, paths) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  for (const index of indexes) {
    const fresh = remember.get(name, JSON.stringify(index));
    if (fresh) database.exec(indexSql(name, `i:${String(fresh['id'])}`, orderOf(index)));
  }
  if (spec.table) declareTable(database, spec, spec.table, added.changes > 0);
}

/** Of several collections that are shown as one table, it is the one that was made last. */
function declareTable(database: DatabaseSync, spec: CollectionSpec, table: Table, isNew: boolean): void {
  const sql = viewSql(spec, table);
  const there = viewsOf(database).find(({ name }) => name === table.name);
  const isOthers = there !== undefined && there.collection !== tableOf(spec.name);
  if (there?.sql === sql || (isOthers && !isNew)) return;
  database.exec(`DROP VIEW IF EXISTS "${table.name}"`);
  database.exec(sql);
}

interface View {
  readonly name: string;
  readonly sql: string;
  /** The table of the collection that it shows, quoted. */
  readonly collection: string;
}

function viewsOf(database: DatabaseSync): readonly View[] {
  const rows = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'view'").all();
  return rows.map((row) => {
    const sql = String(row['sql']);
    return { name: String(row['name']), sql, collection: sql.slice(sql.lastIndexOf(' ') + 1) };
  });
}

/** Part of a transaction. */
export function dropCollection(database: DatabaseSync, name: string): void {
  for (const view of viewsOf(database)) {
    if (view.collection === tableOf(name)) database.exec(`DROP VIEW "${view.name}"`);
  }
  database.exec(`DROP TABLE IF EXISTS ${tableOf(name)}`);
  database.prepare('DELETE FROM indexes WHERE collection = ?').run(name);
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}

export const EXISTS = 'SELECT 1 FROM collections WHERE name = ?';
export const NAMES = 'SELECT name FROM collections ORDER BY name';
export const INDEXES = 'SELECT paths FROM indexes WHERE collection = ?';

/** The indexes of the rows that `INDEXES` answers. */
export function indexesOf(rows: readonly (readonly unknown[])[]): readonly { readonly paths: Index }[] {
  return rows.map(([paths]) => ({ paths: JSON.parse(String(paths)) as Index }));
}
