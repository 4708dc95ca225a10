import { statSync } from 'node:fs';

import { type DatabaseSync, primaryCode, SQLITE } from './sqlite.ts';

/** Files up to this size are checked whole when they are opened (about 0.1 s); larger ones when a page is read. */
const CHECKED_BYTES = 64 * 1024 * 1024;

export function checkSmallFile(database: DatabaseSync, file: string): void {
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

export function damaged(file: string): string {
  return `${file} is damaged or is not a database. Restore it from a backup; documents.db alone can also be moved away, and is then rebuilt from the log (API keys in it are lost).`;
}

/** Whether a call failed because the file is damaged or is no database. */
export function isDamaged(thrown: unknown): boolean {
  const code = primaryCode(thrown) ?? primaryCode(thrown instanceof Error ? thrown.cause : null);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}
