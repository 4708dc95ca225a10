import { statSync } from 'node:fs';
import { resolve, basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

import { explainOpening } from './errors.ts';
import { DatabaseSync, isBusy, SQLITE, versionOf } from './node-sqlite.ts';
import { PermanentError, codeOf } from '../errors.ts';
import { transact } from './transactions.ts';
import { makePrivate, makePrivateFile, makeFolder } from '../files/private-files.ts';

/**
 * - `create`: files and folders are made where they are missing.
 * - `change`: what is there may be changed; what is missing is an error.
 * - `read`: nothing is made and nothing is changed.
 */
export type Access = 'create' | 'change' | 'read';

export interface SqliteOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
  /** Whether another thread of this process looks at the file as a whole. Default: a small one is checked. */
  readonly isCheckedElsewhere?: boolean | undefined;
  /**
   * `full`: a commit survives a power cut (one fsync each). `normal`: it survives the death of the process, and a
   * power cut takes the last commits as a whole, never a part of one.
   */
  readonly durability: 'full' | 'normal';
  /** How long a call may wait for another connection's write, in milliseconds. It blocks the thread meanwhile. */
  readonly busyMs: number;
}

/**
 * Opens a database in WAL mode. With `create` the file and its folder are made where they are missing, for this user
 * alone; else it must be there, and hold something.
 * @throws {PermanentError} where the path cannot be used, or the file is damaged or no database.
 */
export function openSqlite(path: string, options: SqliteOptions): DatabaseSync {
  const { access = 'create', isCheckedElsewhere = false, durability, busyMs } = options;
  const file = resolve(path);
  if (access === 'create') makeFolderOf(file);
  else requireFile(path);
  let database: DatabaseSync | undefined;
  try {
    if (access === 'create') makeFile(file);
    database = new DatabaseSync(access === 'create' ? file : existingFileUrl(file), {
      timeout: Math.max(busyMs, 5000),
    });
    if (access === 'create') switchToWal(database);
    database.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
    database.exec('PRAGMA journal_size_limit = 67108864');
    database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    if (!isCheckedElsewhere) checkSmallFile(database, file);
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    // A file that its maker has not come to fill.
    if (access !== 'create' && versionOf(database) === 0)
      throw noDataError(path, 'has nothing in it yet (where that lasts: is the disk full?)');
    // Not opened read-only: what a killed process has left is to be recovered, and no traces stay beside the file.
    if (access === 'read') database.exec('PRAGMA query_only = ON');
    return database;
  } catch (cause) {
    database?.close();
    throw explainOpening(file, cause);
  }
}

/**
 * The switch needs the file for itself for a moment, and the busy timeout does not hold for it: of several processes
 * that make the same new file, SQLite refuses some at once. They try again, for 5 s at least.
 */
function switchToWal(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || attempt === 500) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Pages that the write-ahead log gathers, 16 MB, before they are copied into the file, which waits for the disk. A page that
 * changes again and again is copied once. SQLite's own 1,000 are less than one transaction of a projector.
 */
const CHECKPOINT_PAGES = 4096;

/** Files up to this size are checked whole when they are opened (about 0.1 s); larger ones when a page is read. */
const CHECKED_BYTES = 64 * 1024 * 1024;

function checkSmallFile(database: DatabaseSync, file: string): void {
  if (statSync(file).size > CHECKED_BYTES) {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return;
  }
  const [row] = database.prepare('PRAGMA quick_check(1)').all();
  if (row?.['quick_check'] !== 'ok') throw new DamagedFile(String(row?.['quick_check']));
}

class DamagedFile extends Error {
  readonly errcode = SQLITE.corrupt;
}

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
 * @throws {PermanentError} where another release made the file.
 */
export function openWithSchema(path: string, schema: Schema, options: SqliteOptions): DatabaseSync {
  const database = openSqlite(path, { ...options, busyMs: 5000 });
  try {
    prepare(database, path, schema);
    database.exec(`PRAGMA busy_timeout = ${options.busyMs}`);
    return database;
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

/** What SQLite keeps beside a file while it is open, with the rights of the file. */
const BESIDE = ['-wal', '-shm'];

function makeFile(file: string): void {
  makePrivateFile(file);
  for (const beside of BESIDE) makePrivate(`${file}${beside}`);
}

function makeFolderOf(file: string): void {
  try {
    makeFolder(dirname(file));
  } catch (cause) {
    throw new PermanentError(
      `The data folder ${dirname(file)} cannot be created (${codeOf(cause)}). Set CATALOG_DATA to a folder that this user may write.`,
      { cause },
    );
  }
}

/** The file under a name that does not make it again where it has gone meanwhile. */
function existingFileUrl(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'rw');
  return url;
}

/** @throws {PermanentError} where there is no file, or this user may not look whether there is. */
function requireFile(path: string): void {
  const file = resolve(path);
  try {
    statSync(file);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw noDataError(path);
    throw new PermanentError(
      `${file} cannot be reached (${code}). Run this as the user who runs the service, or set CATALOG_DATA to a folder that this user may read.`,
      { cause },
    );
  }
}

function noDataError(path: string, lack = 'is missing'): PermanentError {
  return new PermanentError(
    `There is no data in ${dirname(path)}: ${basename(path)} ${lack}. Set CATALOG_DATA to the folder that is meant, or start the service first ("npm start").`,
  );
}
