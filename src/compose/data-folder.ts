import { join } from 'node:path';
import { readdirSync } from 'node:fs';

import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import { makePrivate, makePrivateFolder } from '../platform/private-files.ts';

/** What an embedded installation keeps in its folder; SQLite adds files of its own beside each database. */
const FILES = ['log.db', 'documents.db', 'search.db', 'pepper', 'demo-key'];

function isOurs(name: string): boolean {
  return FILES.some((file) => name === file || name.startsWith(`${file}-`) || name.startsWith(`${file}.`));
}

type Kept = Pick<Config, 'dataFolder' | 'logUrl' | 'documentsUrl' | 'searchUrl' | 'keyPepper'>;

/**
 * Makes an older, looser data folder its user's alone, or says that it is not. One that is missing is made so later; one
 * that nothing is kept in, as where all stores are services, is not looked at.
 */
export function protectDataFolder(config: Kept, logger: Pick<Logger, 'warn'>): void {
  const { dataFolder } = config;
  const names = isUsed(config) ? namesIn(dataFolder) : null;
  if (names === null) return;
  const loose = names.filter(isOurs).filter((name) => !makePrivate(join(dataFolder, name)));
  if (loose.length > 0) {
    logger.warn(
      { folder: dataFolder, files: loose },
      'other users may read the data, and it is not ours to protect',
    );
  } else if (!makePrivateFolder(dataFolder, isOurs)) {
    logger.warn({ folder: dataFolder }, 'other users may look into the data folder: it is not ours alone');
  }
}

function isUsed({ logUrl, documentsUrl, searchUrl, keyPepper }: Kept): boolean {
  return keyPepper === null || [logUrl, documentsUrl, searchUrl].some(({ scheme }) => scheme === 'sqlite');
}

/** null where it is missing, is none, or cannot be read: opening a file in it says so. */
function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}
