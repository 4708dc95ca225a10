import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cannotBeWritten } from '../platform/files/durable-files.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { LOCK_FILE, lockFolder } from '../platform/files/folder-lock.ts';
import { makeFolder } from '../platform/files/private-files.ts';

/** What a run that was killed before its first manifest may leave; SQLite writes beside the file that it copies to. */
const LEFTOVER = /^(?:\.lock|(?:manifest\.json|documents\.db|log\.db|pepper|demo-key)\.partial(?:-\w+)?)$/;

/**
 * Makes an empty folder for this user alone, or takes one in which nothing but a killed run has left something.
 * @throws {UsageError} where it holds anything else.
 */
export async function makeEmptyFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    const strange = (await readdir(folder)).find((name) => !LEFTOVER.test(name));
    if (strange !== undefined)
      throw new UsageError(`${folder} is not empty: ${strange} is there. Name a new folder.`);
    await removeLeftovers(folder);
  } catch (thrown) {
    throw cannotBeWritten(folder, thrown);
  }
}

export async function removeLeftovers(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => LEFTOVER.test(name) && name !== LOCK_FILE);
  for (const name of left) await rm(join(folder, name), { force: true });
}

/** Takes a folder until it is disposed of. @throws {PermanentError} where another process has it. */
export function lock(folder: string): Disposable {
  let taken: Disposable | null;
  try {
    taken = lockFolder(folder);
  } catch (thrown) {
    throw cannotBeWritten(folder, thrown);
  }
  if (taken) return taken;
  throw new PermanentError(`Another process is writing the archive in ${folder}. Wait until it has ended.`);
}
