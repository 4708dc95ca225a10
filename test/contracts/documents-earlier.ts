import { openSqlite } from '../../src/platform/sqlite-opening.ts';

/** A collection as releases made it whose tables kept no values of indexes, and all of a body but what stands beside it in one text. */
export function makeEarlier(path: string, collection: string, beside: readonly string[] = []): void {
  const database = openSqlite(path, { durability: 'normal', busyMs: 1000 });
  database.prepare('INSERT OR IGNORE INTO collections (name) VALUES (?)').run(collection);
  const keys = beside.map((key) => `, "k:${key}" TEXT`).join('');
  database.exec(
    beside.length === 0
      ? `CREATE TABLE IF NOT EXISTS "d:${collection}" (id TEXT PRIMARY KEY, version TEXT NOT NULL, body TEXT NOT NULL) STRICT`
      : `CREATE TABLE IF NOT EXISTS "d:${collection}" (place INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT;
         CREATE TABLE IF NOT EXISTS "b:${collection}" (id TEXT PRIMARY KEY, version TEXT NOT NULL, place INTEGER NOT NULL${keys}) STRICT, WITHOUT ROWID;
         PRAGMA user_version = 2`,
  );
  database.close();
}
