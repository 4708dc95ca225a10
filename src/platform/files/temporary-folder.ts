import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { codeOf, PermanentError } from '../errors.ts';

/** A new folder for temporary files, whose name begins with `prefix`. @throws {PermanentError} where none can be made. */
export function makeTemporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (thrown) {
    const why = codeOf(thrown) ?? 'for no reason that is told';
    throw new PermanentError(
      `No temporary file can be made in ${tmpdir()} (${why}). Make room there, or set TMPDIR to a folder where this user may write.`,
      { cause: thrown },
    );
  }
}
