import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf, messageOf, PermanentError } from '../errors.ts';

/**
 * Files that are whole or not there, also after a power cut: written under another name, flushed to the disk, renamed, and
 * the folder flushed. What a killed process leaves behind ends in `PARTIAL`.
 */

export const PARTIAL = '.partial';

/** Puts text in the place of a file, for this user alone. @throws {PermanentError} where it cannot be written. */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await using file = await open(`${path}${PARTIAL}`, 'w', 0o600);
    await file.writeFile(text);
    await file.sync();
  } catch (thrown) {
    throw cannotBeWritten(path, thrown);
  }
  await renamePartial(path);
}

/** Gives a flushed `PARTIAL` file its name. @throws {PermanentError} where that is not possible. */
export async function renamePartial(path: string): Promise<void> {
  try {
    await rename(`${path}${PARTIAL}`, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    throw cannotBeWritten(path, thrown);
  }
}

/** Flushes the contents of a file that somebody else has written. */
export async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}

/** Flushes the names in a folder: a new file or folder in it is there after a power cut too. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps names without that.
  if (process.platform === 'win32') return;
  await using opened = await open(folder, 'r');
  await opened.sync();
}

/** One line that says what to do; an error of ours passes through unchanged. */
export function cannotBeWritten(path: string, thrown: unknown): Error {
  if (thrown instanceof PermanentError) return thrown;
  const code = codeOf(thrown);
  if (code === null) return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  const hint = HINTS[code] ?? 'Give this user write access to it, or name another folder';
  return new PermanentError(`${path} cannot be written (${code}). ${hint}.`, { cause: thrown });
}

const FULL = 'The disk is full: make room, and run the command again';
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: 'The file system is read-only: name another folder',
  ENOTDIR: 'A part of the path is a file: name another folder',
  EEXIST: 'There is a file of that name: name another folder',
};
