import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';

/** What the rest knows of `node:sqlite`: its classes and its result codes. */

export { backup, DatabaseSync, type StatementSync };

/** The version that the maker of a file has given it; 0 until then. */
export function versionOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.['user_version'];
}

/** Whether a call failed only because another connection holds the lock that it needs. */
export function isBusy(cause: unknown): boolean {
  const code = primaryCode(cause);
  return code === SQLITE.busy || code === SQLITE.locked;
}

/** Primary result codes, https://www.sqlite.org/rescode.html */
export const SQLITE = {
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

export function primaryCode(cause: unknown): number | null {
  const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : null;
  return typeof code === 'number' ? code & 0xff : null;
}
