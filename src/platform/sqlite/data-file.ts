import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { codeOf, PermanentError } from '../errors.ts';
import { makePrivate, makePrivateFile, makeFolder } from '../files/private-files.ts';

/** What SQLite keeps beside a file while it is open, with the rights of the file. */
const BESIDE = ['-wal', '-shm'];

export function makeFile(file: string): void {
  makePrivateFile(file);
  for (const beside of BESIDE) makePrivate(`${file}${beside}`);
}

export function makeFolderOf(file: string): void {
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
export function existingFileUrl(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('mode', 'rw');
  return url;
}

/** @throws {PermanentError} where there is no file, or this user may not look whether there is. */
export function requireFile(path: string): void {
  const file = resolve(path);
  try {
    statSync(file);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw noDataError(path);
    throw new PermanentError(
      `${file} cannot be reached (${code}). Run this as the user who runs the service, or set CATALOG_DATA to a folder that this user may read.`,
      { cause },
    );
  }
}

export function noDataError(path: string): PermanentError {
  return new PermanentError(
    `There is no data in ${dirname(path)}: ${basename(path)} is missing. Set CATALOG_DATA to the folder that is meant, or start the service first ("npm start").`,
  );
}
