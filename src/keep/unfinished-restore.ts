import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Config } from '../config.ts';
import { PARTIAL } from '../platform/files/durable-files.ts';
import { PermanentError } from '../platform/errors.ts';
import { makePrivateFile } from '../platform/files/private-files.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { backupPlaces } from './backed-up-files.ts';

/** A restore that was killed leaves files behind: that of a backup its copies, that of an archive a mark in the data folder. */

function markOf({ dataFolder }: Pick<Config, 'dataFolder'>): string {
  return join(dataFolder, `archive${PARTIAL}`);
}

export function markUnfinished(config: Pick<Config, 'dataFolder'>): void {
  makePrivateFile(markOf(config));
}

export function markFinished(config: Pick<Config, 'dataFolder'>): void {
  rmSync(markOf(config), { force: true });
}

/** @throws {PermanentError} where half of an archive, or of a backup, would be taken for all of it. */
export function requireRestored(config: Config, kept: 'archive' | 'any' = 'any'): void {
  const isEmbedded = config.documentsUrl.scheme === 'sqlite' && config.logUrl.scheme === 'sqlite';
  const copies = kept === 'any' && isEmbedded ? Object.values(backupPlaces(config)) : [];
  const left = [markOf(config), ...copies.map((place) => `${place}${PARTIAL}`)].find((path) =>
    existsSync(path),
  );
  if (left === undefined) return;
  throw new PermanentError(
    `A restore has not finished: ${left} is there. Run the same "${commandLine('keep restore')}" again, which goes on. To give it up, move the data folder away, or restore into new topics (CATALOG_TOPIC_PREFIX), and remove that file.`,
  );
}
