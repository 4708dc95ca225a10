import type { DatabaseSync } from '../../../platform/sqlite.ts';
import type { CollectionSpec } from '../port.ts';
import { orderOf } from '../query.ts';
import { indexSql, tableSql } from './declarations.ts';
import { besideOf, tableOf } from './expressions.ts';
import { readForm } from './form.ts';
import { declareTable, viewsOf } from './views.ts';

/**
 * Which collections and indexes the file has: a table for each collection, and two that list them. Synchronous. What
 * is listed is asked for in the transaction that needs it, since another process may declare or drop at any time.
 */

/**
 * What the file is raised to by its first collection with keys in columns of their own: an earlier release that opens it refuses
 * it. Before that, files were raised by keys beside bodies, and by no others.
 */
const WITH_KEYS_BESIDE = 2;
const WITH_KEYS_APART = 3;

/** The two lists. */
export const SCHEMA = {
  version: 1,
  raised: [WITH_KEYS_BESIDE, WITH_KEYS_APART],
  sql: `
  CREATE TABLE collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, paths TEXT NOT NULL, UNIQUE (collection, paths)
  ) STRICT;
`,
};

/** Part of a transaction. Indexes that are no longer declared stay: another process may still ask through them. */
export function declareCollection(database: DatabaseSync, spec: CollectionSpec): void {
  const { name, indexes, native = [], beside = [] } = spec;
  const added = database
    .prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING')
    .run(name);
  if (added.changes > 0) {
    database.exec(tableSql(spec));
    if (native.length + beside.length > 0) database.exec(`PRAGMA user_version = ${WITH_KEYS_APART}`);
  }
  const remember = database.prepare(
    'INSERT INTO indexes (collection, paths) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id',
  );
  // The collection may have been there: what it was made with is what it has.
  const form = readForm(name, (sql, ...values) =>
    database
      .prepare(sql)
      .all(...values)
      .map((row) => Object.values(row)),
  );
  for (const index of indexes) {
    const fresh = remember.get(name, JSON.stringify(index));
    const paths = orderOf(index);
    if (fresh) {
      const table = form.tableOf(paths.map(({ path }) => path));
      database.exec(indexSql(table, `i:${String(fresh['id'])}`, paths, form.expressions));
    }
  }
  if (spec.table) declareTable(database, spec, spec.table, form.apart);
}

/** Part of a transaction. */
export function dropCollection(database: DatabaseSync, name: string): void {
  for (const view of viewsOf(database)) {
    if (view.collection === tableOf(name)) database.exec(`DROP VIEW "${view.name}"`);
  }
  database.exec(`DROP TABLE IF EXISTS ${tableOf(name)}; DROP TABLE IF EXISTS ${besideOf(name)}`);
  database.prepare('DELETE FROM indexes WHERE collection = ?').run(name);
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}

export const NAMES = 'SELECT name FROM collections ORDER BY name';
