import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { codeOf, messageOf, PermanentError, RetryableError } from '../errors.ts';
import { primaryCode, SQLITE } from './node-sqlite.ts';

export function explainOpening(file: string, cause: unknown): Error {
  switch (primaryCode(cause)) {
    case SQLITE.readOnly:
      return new PermanentError(cannotBeWritten(file), { cause });
    case SQLITE.cannotOpen:
    case SQLITE.ioError:
      // Files beside it cannot be made there: somebody makes room, while it is tried again.
      if (isFull(dirname(file))) return new RetryableError(fullOrFailing(file), { cause });
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
  const code = codeOf(cause) ?? 'unknown cause';
  if (MAY_PASS.has(code)) return new RetryableError(`${file} cannot be made (${code})`, { cause });
  return new PermanentError(cannotBeWritten(file, ` (${code})`), { cause });
}

/** A full disk, too many open files: somebody fixes that while the call is tried again. */
const MAY_PASS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** One that nobody may write to is another matter: a read-only image has no room either. */
function isFull(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { blocks, bavail } = statfsSync(folder);
    return blocks > 0 && bavail === 0;
  } catch {
    return false;
  }
}

function fullOrFailing(file: string): string {
  return `${file} cannot be written: the disk is full or failing`;
}

function cannotBeWritten(file: string, code = ''): string {
  return `${file} cannot be opened for writing${code}. Give this user write access to it and its folder, or set CATALOG_DATA to another folder.`;
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
      return new RetryableError(fullOrFailing(file), { cause });
    case SQLITE.corrupt:
    case SQLITE.notADatabase:
      return new PermanentError(damaged(file), { cause });
    default: {
      // Others are memory, file handles, rights on the file: what somebody fixes while the call is tried again.
      const isPermanent = FAULTS.has(code);
      return new (isPermanent ? PermanentError : RetryableError)(`${file}: ${messageOf(cause)}`, { cause });
    }
  }
}

const { error, tooBig, constraint, mismatch, misuse, range } = SQLITE;
/** Of the call itself. */
const FAULTS: ReadonlySet<number> = new Set([error, tooBig, constraint, mismatch, misuse, range]);

function damaged(file: string): string {
  return `${file} is damaged or is not a database. Restore it from a backup; documents.db alone can also be moved away, and is then rebuilt from the log (API keys in it are lost).`;
}

/** Whether a call failed because the file is damaged or is no database. */
export function isDamaged(thrown: unknown): boolean {
  const code = primaryCode(thrown) ?? primaryCode(thrown instanceof Error ? thrown.cause : null);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}
