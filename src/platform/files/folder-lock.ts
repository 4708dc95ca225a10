import { join } from 'node:path';

import { makePrivateFile } from './private-files.ts';
import { explainOpening } from '../sqlite/errors.ts';
import { DatabaseSync, isBusy } from '../sqlite/node-sqlite.ts';

/** The file that a folder is locked by. It stays behind, empty. */
export const LOCK_FILE = '.lock';

/** Takes a folder for this process, until it is disposed of; null where another one has it. */
export function lockFolder(folder: string): Disposable | null {
  return lockFile(join(folder, LOCK_FILE));
}

/**
 * Takes a file that holds nothing else. The lock is SQLite's, on an empty file: the system takes it away from a process that
 * is killed, so none is ever left behind.
 * @throws {RetryableError} on a full disk.
 * @throws {PermanentError} where it cannot be made.
 */
export function lockFile(path: string): Disposable | null {
  let database: DatabaseSync | null = null;
  try {
    makePrivateFile(path);
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database?.close();
    if (isBusy(thrown)) return null;
    throw explainOpening(path, thrown);
  }
  return { [Symbol.dispose]: () => database.close() };
}
