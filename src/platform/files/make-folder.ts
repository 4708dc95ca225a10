import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { codeOf } from '../errors.ts';

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
    if (code !== 'ENOENT' || isFolder(parent)) throw thrown;
    makeFolder(parent);
    makeFolder(folder);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
