import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { CollectionSpec, Index } from '../port.ts';
import { orderOf } from '../query.ts';
import { indexSql, tableSql } from './declarations.ts';
import { expressionsOf, KEPT, nameOf, tableOf } from './expressions.ts';
import { declareTable, viewsOf } from './views.ts';

/**
 * Which collections and indexes the file has: a table for each collection, and two that list them. Synchronous. What
 * is listed is asked for in the transaction that needs it, since another process may declare or drop at any time.
 */

/** The two lists. */
export const SCHEMA = {
  version: 1,
  sql: `
  CREATE TABLE collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, paths TEXT NOT NULL, UNIQUE (collection, paths)
  ) STRICT;
`,
};

/** Part of a transaction. Indexes that are no longer declared stay: another process may still ask through them. */
export function declareCollection(database: DatabaseSync, spec: CollectionSpec): void {
  const { name, indexes } = spec;
  const added = database
    .prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING')
    .run(name);
  if (added.changes > 0) {
    database.exec(tableSql(spec));
  }
  const remember = database.prepare(
    'INSERT INTO indexes (collection, paths) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  const kept = database.prepare(KEPT).all(nameOf(name));
  const expressions = expressionsOf(new Set(kept.map((column) => String(column['name']))));
  for (const index of indexes) {
    const fresh = remember.get(name, JSON.stringify(index));
    if (fresh) database.exec(indexSql(name, `i:${String(fresh['id'])}`, orderOf(index), expressions));
  }
  if (spec.table) declareTable(database, spec, spec.table);
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
