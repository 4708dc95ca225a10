import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { messageOf, PermanentError, RetryableError } from './errors.ts';
import { makeFolder, makePrivate, makePrivateFile } from './private-files.ts';

export { backup, DatabaseSync, type StatementSync };

/**
 * - `create`: files and folders are made where they are missing.
 * - `change`: what is there may be changed; what is missing is an error.
 * - `read`: nothing is made and nothing is changed.
 */
export type Access = 'create' | 'change' | 'read';

export interface SqliteOptions {
  /** Default `create`. */
  readonly access?: Access | undefined;
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
  const { access = 'create', durability, busyMs } = options;
  const file = resolve(path);
  if (access === 'create') makeFolderOf(file);
  else if (!existsSync(file)) throw noData(path);
  let database: DatabaseSync | undefined;
  try {
    if (access === 'create') {
      makePrivateFile(file);
      for (const beside of BESIDE) makePrivate(`${file}${beside}`);
    }
    database = new DatabaseSync(access === 'create' ? file : existing(file), {
      timeout: Math.max(busyMs, 5000),
    });
    if (access === 'create') switchToWal(database);
    database.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
    database.exec('PRAGMA journal_size_limit = 67108864');
    checkSmallFile(database, file);
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    // A file that its maker has not come to fill.
    if (access !== 'create' && versionOf(database) === 0) throw noData(path);
    // Not opened read-only: what a killed process has left is to be recovered, and no traces stay beside the file.
    if (access === 'read') database.exec('PRAGMA query_only = ON');
    return database;
  } catch (cause) {
    database?.close();
    throw explainOpening(file, cause);
  }
}

/** What SQLite keeps beside a file while it is open, with the rights of the file. */
const BESIDE = ['-wal', '-shm'];

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
function existing(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'rw');
  return url;
}

/** The version that the maker of a file has given it; 0 until then. */
export function versionOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version'];
}

function noData(path: string): PermanentError {
  return new PermanentError(
    `There is no data in ${dirname(path)}: ${basename(path)} is missing. Set CATALOG_DATA to the folder that is meant, or start the service first ("npm start").`,
  );
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
  readonly errcode = 11;
}

function explainOpening(file: string, cause: unknown): Error {
  switch (primaryCode(cause)) {
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return new PermanentError(damaged(file), { cause });
    case SQLITE.cannotOpen:
    case SQLITE.readOnly:
    case SQLITE.ioError:
      return new PermanentError(cannotBeWritten(file), { cause });
    case null:
      return explainMaking(file, cause);
    default:
      return translateSqlite(file, cause);
  }
}

/** What the system says where a file cannot be made; anything else passes through unchanged. */
function explainMaking(file: string, cause: unknown): Error {
  if (!(cause instanceof Error && 'syscall' in cause)) return translateSqlite(file, cause);
  const code = codeOf(cause);
  if (MAY_PASS.has(code)) return new RetryableError(`${file} cannot be made (${code})`, { cause });
  return new PermanentError(cannotBeWritten(file, ` (${code})`), { cause });
}

/** A full disk, too many open files: somebody fixes that while the call is tried again. */
const MAY_PASS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

function cannotBeWritten(file: string, code = ''): string {
  return `${file} cannot be opened for writing${code}. Give this user write access to it and its folder, or set CATALOG_DATA to another folder.`;
}

function damaged(file: string): string {
  return `${file} is damaged or is not a database. Restore it from a backup; documents.db alone can also be moved away, and is then rebuilt from the log (API keys in it are lost).`;
}

/** A vendor error as one of ours; anything that is not SQLite's passes through unchanged. */
export function translateSqlite(file: string, cause: unknown): Error {
  const code = primaryCode(cause);
  if (code === null) return cause instanceof Error ? cause : new Error(String(cause));
  switch (code) {
    case SQLITE.busy:
    case SQLITE.locked:
      return new RetryableError(`${file} is busy with another process's write`, { cause });
    case SQLITE.ioError:
    case SQLITE.full:
      return new RetryableError(`${file} cannot be written: the disk is full or failing`, { cause });
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return new PermanentError(damaged(file), { cause });
    case SQLITE.error:
    case SQLITE.tooBig:
    case SQLITE.constraint:
    case SQLITE.mismatch:
    case SQLITE.misuse:
    case SQLITE.range:
      return new PermanentError(`${file}: ${messageOf(cause)}`, { cause });
    default:
      // Memory, file handles, rights on the file: what somebody fixes while the call is tried again.
      return new RetryableError(`${file}: ${messageOf(cause)}`, { cause });
  }
}

/** Whether a call failed only because another connection holds the lock that it needs. */
export function isBusy(cause: unknown): boolean {
  const code = primaryCode(cause);
  return code === SQLITE.busy || code === SQLITE.locked;
}

/** Whether a call failed because the file is damaged or is no database. */
export function isDamaged(thrown: unknown): boolean {
  const code = primaryCode(thrown) ?? primaryCode(thrown instanceof Error ? thrown.cause : null);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}

/** Primary result codes, https://www.sqlite.org/rescode.html */
const SQLITE = {
  error: 1,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  misuse: 21,
  range: 25,
  notADatabase: 26,
} as const;

function primaryCode(cause: unknown): number | null {
  const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : null;
  return typeof code === 'number' ? code & 0xff : null;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown cause';
}
