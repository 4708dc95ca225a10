import { PermanentError } from '../errors.ts';
import { transact } from './transactions.ts';
import { type DatabaseSync, versionOf } from './sqlite.ts';
import { openSqlite, type SqliteOptions } from './opening.ts';

/** The tables that a file is made with. */
export interface Schema {
  /** What makes them. */
  readonly sql: string;
  /** Noted in the file: by it a release knows its own files, and those of others. */
  readonly version: number;
  /** What is said of a file of another version, behind its path. */
  readonly otherwise?: string;
  /** The same where the file's version is lower; default `otherwise`. */
  readonly earlier?: string;
}

/**
 * Opens a database as `openSqlite` does, and makes its tables where they are missing. Until they are there it waits for
 * 5 s, blocking, for another process that makes them.
 * @param begin makes of it what is used: where it throws, the database is closed.
 * @throws {PermanentError} where another release made the file.
 */
export function openWithSchema<T>(
  path: string,
  schema: Schema,
  options: SqliteOptions,
  begin: (database: DatabaseSync) => T,
): T {
  const database = openSqlite(path, { ...options, busyMs: 5000 });
  try {
    prepare(database, path, schema);
    database.exec(`PRAGMA busy_timeout = ${options.busyMs}`);
    return begin(database);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function prepare(
  database: DatabaseSync,
  path: string,
  { sql, version, otherwise = NEWER, earlier = otherwise }: Schema,
): void {
  if (versionOf(database) === 0) {
    transact(database, () => {
      // Another process may have made them while this one waited for the lock.
      if (versionOf(database) === 0) database.exec(`${sql} PRAGMA user_version = ${version};`);
    });
  }
  const found = Number(versionOf(database));
  if (found !== version) throw new PermanentError(`${path} ${found < version ? earlier : otherwise}`);
}

const NEWER = 'was made by a newer release. Run that release.';
