import { PermanentError } from '../../../platform/errors.ts';
import { type DatabaseSync } from '../../../platform/sqlite.ts';
import { transact } from '../../../platform/sqlite-transactions.ts';
import { orderOf } from '../conditions.ts';
import type { CollectionSpec, Index } from '../port.ts';
import { indexSql, tableOf } from './query.ts';

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
export function declareCollection(database: DatabaseSync, { name, indexes }: CollectionSpec): void {
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
}

/** Part of a transaction. */
export function dropCollection(database: DatabaseSync, name: string): void {
  database.exec(`DROP TABLE IF EXISTS ${tableOf(name)}`);
  database.prepare('DELETE FROM indexes WHERE collection = ?').run(name);
  database.prepare('DELETE FROM collections WHERE name = ?').run(name);
}

export const EXISTS = 'SELECT 1 FROM collections WHERE name = ?';
export const NAMES = 'SELECT name FROM collections ORDER BY name';
export const INDEXES = 'SELECT paths FROM indexes WHERE collection = ?';

/** The indexes of the rows that `INDEXES` answers. */
export function indexesOf(rows: readonly (readonly unknown[])[]): readonly Index[] {
  return rows.map(([paths]) => JSON.parse(String(paths)) as Index);
}
