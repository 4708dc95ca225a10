import { randomUUID } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { messageOf, PermanentError, UsageError } from '../../../platform/errors.ts';

/**
 * Asked before anything is read: what takes a minute must not fail for a slip in a path.
 * @throws {UsageError} where no file can be written there.
 */
export async function checkFile(file: string): Promise<void> {
  const folder = dirname(file);
  if (!(await isFolder(folder)))
    throw new UsageError(
      `There is no folder ${folder} for ${file}: make it, or give another file with --html.`,
    );
  if (await isFolder(file)) throw new UsageError(`${file} is a folder: give a file with --html.`);
}

/**
 * Puts a whole file in the place of what was there; a write that fails leaves that as it was.
 * @throws {PermanentError} where it cannot be written: a full disk, say.
 */
export async function writeFileWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(unfinished, text, { flag: 'wx' });
    await rename(unfinished, file);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw new PermanentError(`${file} cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Whatever is wrong with it, it is no folder to write into.
    return false;
  }
}
