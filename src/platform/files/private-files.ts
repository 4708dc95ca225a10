import { chmodSync, closeSync, fchmodSync, openSync, statSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { codeOf } from '../errors.ts';

/**
 * What an embedded installation keeps is for its user alone: accounts, digests of keys, everything that is not published
 * yet. Files are made 0600 and folders 0700 whatever the umask, and looser files of this user are made so. Systems without
 * such rights (Windows) are left to their own.
 */

const OTHERS = 0o077;

/** Makes the file where it is missing; where it is there, takes the rights of others from it. */
export function makePrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    fchmodSync(file, 0o600);
    closeSync(file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
    makePrivate(path);
  }
}

/**
 * Takes the rights of others from a file that is there and ours; never from a device, such as /dev/null.
 * False where others have some, and it is not ours to change.
 */
export function makePrivate(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  const user = process.getuid?.();
  if (!found || user === undefined || (found.mode & OTHERS) === 0) return true;
  if (!found.isFile() && !found.isDirectory()) return true;
  if (found.uid !== user) return false;
  try {
    chmodSync(path, found.mode & 0o777 & ~OTHERS);
    return true;
  } catch (thrown) {
    // The file system of a container, say: nobody writes there.
    if (codeOf(thrown) === 'EROFS') return false;
    throw thrown;
  }
}

/**
 * Makes a folder and those above it where they are missing, each for this user alone whatever the umask. Not `mkdirSync`
 * with `recursive`: where a parent cannot hold folders at all (/proc), Node 26 tries for ever.
 * @throws {Error} of the file system, with its `code`.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, 0o700);
    chmodSync(folder, 0o700);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || statSync(parent, { throwIfNoEntry: false })?.isDirectory()) throw thrown;
    makeFolder(parent);
    makeFolder(folder);
  }
}
