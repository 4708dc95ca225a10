import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { codeOf, PermanentError } from '../platform/errors.ts';
import { PARTIAL } from '../platform/files/durable-files.ts';
import { makeFolder, makePrivate } from '../platform/files/private-files.ts';
import { explainOpening } from '../platform/sqlite/errors.ts';
import type { Access } from '../platform/sqlite/open-database.ts';

/** The pepper of an embedded installation: made once, readable by its user alone. null where it is missing. */
export function embeddedPepper(dataFolder: string, access: Access): string | null {
  const file = join(dataFolder, 'pepper');
  if (access === 'create') makePepper(dataFolder, file);
  if (access !== 'read') makePrivate(file);
  const pepper = readPepper(file);
  if (pepper !== null && pepper.length < 16) {
    throw new PermanentError(
      `${file} is damaged. Restore it from a backup: without it no existing API key is recognised.`,
    );
  }
  return pepper;
}

function makePepper(dataFolder: string, file: string): void {
  if (existsSync(file)) return;
  const own = `${file}.${process.pid}${PARTIAL}`;
  try {
    makeFolder(dataFolder);
    writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
    // Never half of one; and of two processes that start at once, one makes it and the other one reads it.
    linkSync(own, file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw explainOpening(file, thrown);
  } finally {
    rmSync(own, { force: true });
  }
}

function readPepper(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw new PermanentError(
      `${file} cannot be read. Give this user read access to it, or set CATALOG_KEY_PEPPER.`,
      { cause },
    );
  }
}
