import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { PARTIAL } from '../platform/files/durable-files.ts';
import { PermanentError } from '../platform/errors.ts';
import { makePrivateFile } from '../platform/files/private-files.ts';
import { commandLine } from '../platform/text/command-hint.ts';

/** A restore that was killed leaves a file in the data folder: that of a backup its copies, that of an archive this one. */
const OF_ARCHIVE = `archive${PARTIAL}`;

export function markUnfinished(dataFolder: string): void {
  makePrivateFile(join(dataFolder, OF_ARCHIVE));
}

export function markFinished(dataFolder: string): void {
  rmSync(join(dataFolder, OF_ARCHIVE), { force: true });
}

/** @throws {PermanentError} where half of what is kept elsewhere would be taken for all of it. */
export function requireRestored(dataFolder: string): void {
  let names: readonly string[];
  try {
    names = readdirSync(dataFolder);
  } catch {
    // Whoever opens what is in it says what is wrong with it.
    return;
  }
  const left = names.find((name) => name.endsWith(PARTIAL));
  if (left === undefined) return;
  throw new PermanentError(
    `A restore into ${dataFolder} has not finished: ${left} is there. Run the same "${commandLine('keep restore')}" again, which goes on, or take another folder (CATALOG_DATA).`,
  );
}
