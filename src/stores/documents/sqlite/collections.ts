import { PermanentError } from '../../../platform/errors.ts';
import type { DatabaseSync } from '../../../platform/sqlite/node-sqlite.ts';
import { EARLIER_FORMAT } from '../old-format-message.ts';
import { rootsOf } from '../check-names.ts';
import type { CollectionSpec, Index } from '../port.ts';
import { orderOf } from '../check-query.ts';
import { keyColumn, tableOf, valueColumn, valueColumnSql } from './columns.ts';
import { columnsOf, type Rows } from './known-collections.ts';

/**
 * Which collections and indexes the file has: a table for each collection, and two that list them. Synchronous. What
 * is listed is asked for in the transaction that needs it, since another process may declare or drop at any time.
 */

/** The two lists. Files of earlier releases, of versions 1 to 3, had bodies in other forms. */
export const SCHEMA = {
  version: 4,
  earlier: EARLIER_FORMAT,
  sql: `
  CREATE TABLE collections (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, paths TEXT NOT NULL, UNIQUE (collection, paths)
  ) STRICT;
`,
};

/** Part of a transaction. Indexes that are no longer declared stay: another process may still ask through them. */
export function declareCollection(database: DatabaseSync, rows: Rows, spec: CollectionSpec): void {
  const { name, indexes } = spec;
  const [added] = rows(
    'INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING RETURNING name',
    name,
  );
  if (added) database.exec(tableSql(spec));
  // The collection may have been there: what it was made with is what it has.
  const keys = columnsOf(name, 'k:', rows);
  const other = rootsOf(indexes).find((key) => !keys.includes(key));
  if (other !== undefined) {
    throw new PermanentError(
      `${name} was made without an index over ${other}: its documents have that in their text. Make another collection.`,
    );
  }
  const paths = new Set(indexes.flatMap(orderOf).map(({ path }) => path));
  for (const path of paths.difference(new Set(columnsOf(name, 'v:', rows)))) {
    database.exec(`ALTER TABLE ${tableOf(name)} ADD COLUMN ${valueColumnSql(path, keys)}`);
  }
  for (const index of indexes) {
    const sql = 'INSERT INTO indexes (collection, paths) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id';
    const [fresh] = rows(sql, name, JSON.stringify(index));
    if (fresh) database.exec(indexSql(name, `i:${String(fresh[0])}`, index));
  }
}

/** Part of a transaction. */
export function dropCollection(database: DatabaseSync, name: string): void {
  database.exec(`DROP TABLE IF EXISTS ${tableOf(name)}`);
  database.prepare('DELETE FROM indexes WHERE collection = ?').run(name);
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}

export const NAMES = 'SELECT name FROM collections ORDER BY name';

/**
 * The statement that makes a collection's table. What its indexes are made of stands in columns of its own: otherwise every
 * index would look into the body for it, that of the document before as well. So does each key that an index begins with,
 * before the rest of the body: a reader of it alone passes nothing else.
 */
function tableSql({ name, indexes }: CollectionSpec): string {
  const keys = rootsOf(indexes);
  const paths = new Set(indexes.flatMap(orderOf).map(({ path }) => path));
  const columns = [
    'id TEXT PRIMARY KEY',
    'version TEXT NOT NULL',
    ...keys.map((key) => `${keyColumn(key)} TEXT`),
    'rest TEXT NOT NULL',
    ...[...paths].map((path) => `${valueColumnSql(path, keys)} STORED`),
  ];
  return `CREATE TABLE ${tableOf(name)} (${columns.join(', ')}) STRICT`;
}

/** The statement that makes an index: its paths, then the id, which ends every order. */
function indexSql(collection: string, name: string, index: Index): string {
  const columns = orderOf(index).map(
    ({ path, descending }) => `${valueColumn(path)}${descending ? ' DESC' : ''}`,
  );
  return `CREATE INDEX "${name}" ON ${tableOf(collection)} (${columns.join(', ')}, id)`;
}
