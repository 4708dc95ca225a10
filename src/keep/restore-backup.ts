import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Config } from '../config.ts';
import { cannotBeWritten, PARTIAL, renamePartial } from '../platform/files/durable-files.ts';
import { PermanentError, UsageError } from '../platform/errors.ts';
import { digestOfFile } from './damaged-files.ts';
import { makeFolder } from '../platform/files/private-files.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { backupPlaces, DATABASES, type BackupName, copyPrivate } from './backup-places.ts';
import type { BackupManifest, KeptFolder } from './manifest.ts';

/**
 * Copies a backup whose files have been compared with their digests (damaged-files.ts) into an empty data folder. One that is there
 * already, as after a restore that was killed, is left as it is.
 * @throws {UsageError} where the configured stores are services, or the data folder holds something.
 */
export async function restoreBackup(
  config: Config,
  { folder, manifest }: KeptFolder<BackupManifest>,
  signal: AbortSignal,
) {
  const places = backupPlaces(config);
  const plan = manifest.files.flatMap(({ path: name, sha256 }) => {
    const to = places[name];
    return to === undefined ? [] : [{ name, sha256, to }];
  });
  const missing = await requireEmpty(config, plan);
  for (const { name, sha256, to } of missing) {
    if (signal.aborted) throw new StoppedError('the restore was told to stop');
    await copyWhole(join(folder, name), to, sha256);
  }
  for (const { to } of missing) await renamePartial(to);
  // Of what a backup has, the environment hides a pepper alone.
  return { files: plan.map(({ name }) => name), hidesPepper: plan.length < manifest.files.length };
}

interface FileToRestore {
  readonly name: BackupName;
  readonly sha256: string;
  readonly to: string;
}

/** What SQLite keeps beside a database that is, or was, in use. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** The files that are still to be copied. */
async function requireEmpty(
  { searchUrl, dataFolder }: Config,
  plan: readonly FileToRestore[],
): Promise<readonly FileToRestore[]> {
  const databases = plan.filter(({ name }) => DATABASES.some((one) => one === name));
  const strange = [
    ...databases.flatMap(({ to }) => BESIDE.map((ending) => `${to}${ending}`)),
    ...(searchUrl.scheme === 'sqlite' ? [searchUrl.path] : []),
  ];
  let taken = strange.find(existsSync);
  const missing: FileToRestore[] = [];
  for (const one of plan) {
    if (!existsSync(one.to)) missing.push(one);
    else if ((await digestOfFile(one.to)) !== one.sha256) taken ??= one.to;
  }
  if (taken === undefined) return missing;
  throw new UsageError(
    `The data folder ${dataFolder} is not empty: ${taken} is there. Stop what runs on it, and move it away; or set CATALOG_DATA to a new folder.`,
  );
}

async function copyWhole(from: string, to: string, sha256: string): Promise<void> {
  const partial = `${to}${PARTIAL}`;
  try {
    makeFolder(dirname(to));
    await copyPrivate(from, partial);
  } catch (thrown) {
    throw cannotBeWritten(to, thrown);
  }
  if ((await digestOfFile(partial)) !== sha256)
    throw new PermanentError(
      `${from} changed while it was copied, or the disk is failing. Run the command again.`,
    );
}
