import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createKeys, type Keys } from '../access/keys.ts';
import type { Parts } from './parts.ts';
import { PermanentError } from '../platform/errors.ts';
import { makeFolder } from '../platform/folder.ts';

/** API keys on the configured documents store, with the configured pepper. */
export async function composeKeys({ config, documents, clock, logger }: Parts): Promise<Keys> {
  const pepper = config.keyPepper ?? embeddedPepper(config.dataFolder);
  const keys = createKeys({ documents, pepper, clock, logger });
  await keys.declare();
  return keys;
}

/** The pepper of an embedded installation: made once, readable by its user alone. */
function embeddedPepper(dataFolder: string): string {
  const file = join(dataFolder, 'pepper');
  try {
    makeFolder(dataFolder);
    // `wx`: of two processes that start at once, one makes it and the other one reads it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) {
      throw new PermanentError(
        `${file} cannot be written. Give this user write access to the folder, or set CATALOG_KEY_PEPPER.`,
        { cause: thrown },
      );
    }
  }
  const pepper = readFileSync(file, 'utf8').trim();
  if (pepper.length < 16) {
    throw new PermanentError(
      `${file} is damaged. Restore it from a backup: without it no existing API key is recognised.`,
    );
  }
  return pepper;
}
