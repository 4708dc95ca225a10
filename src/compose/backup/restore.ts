import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Config } from '../../config.ts';
import { MANIFEST } from '../../events/archive/manifest.ts';
import { cannotBeWritten, PARTIAL, settle, syncFile } from '../../platform/durable-files.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { digestOfFile } from '../../platform/file-digest.ts';
import { isJsonObject, type Json, type JsonObject } from '../../platform/json.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { makePrivateFile } from '../../platform/private-files.ts';
import { requireFormat } from '../../platform/sealed-file.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { BACKUP_FORMAT, backupPlaces, DATABASES, SECRETS, type BackupName } from './files.ts';

export interface RestoredBackup {
  readonly files: readonly BackupName[];
  /** When the backup was made, RFC 3339. */
  readonly createdAt: string;
  /** Whether the backup has a pepper that the environment hides. */
  readonly hidesPepper: boolean;
}

/**
 * Copies a backup into an empty data folder. Every file of it is compared with its digest before anything is written; one
 * that is there already, as after a restore that was killed, is left as it is.
 * @throws {UsageError} where the configured stores are services, or the data folder holds something.
 * @throws {PermanentError} where the backup is damaged, naming the file.
 */
export async function restoreBackup(
  config: Config,
  folder: string,
  body: JsonObject,
  signal: AbortSignal,
): Promise<RestoredBackup> {
  const places = backupPlaces(config);
  const path = join(folder, MANIFEST);
  requireFormat(path, body, BACKUP_FORMAT);
  const digests = digestsOf(path, body);
  await requireWhole(folder, digests, signal);
  const plan = [...digests].flatMap(([name, digest]) => {
    const to = places[name];
    return to === undefined ? [] : [{ name, digest, to }];
  });
  const missing = await requireEmpty(config, plan);
  for (const { name, digest, to } of missing) {
    if (signal.aborted) throw new Stopped('the restore was told to stop');
    await copyWhole(join(folder, name), to, digest);
  }
  for (const { to } of missing) await settle(to);
  return {
    files: plan.map(({ name }) => name),
    createdAt: textOf(body['created_at']),
    hidesPepper: digests.has('pepper') && places.pepper === undefined,
  };
}

/** By names that a backup has, and no others: nothing in a manifest leads out of the folder. */
function digestsOf(path: string, { files }: JsonObject): ReadonlyMap<BackupName, string> {
  const digests = new Map<BackupName, string>();
  for (const name of [...DATABASES, ...SECRETS]) {
    const file = isJsonObject(files) ? files[name] : undefined;
    if (isJsonObject(file)) digests.set(name, textOf(file['sha256']));
  }
  const absent = DATABASES.find((name) => !digests.has(name));
  if (absent) throw new PermanentError(`${path} names no ${absent}: it is no whole backup.`);
  return digests;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

async function requireWhole(
  folder: string,
  digests: ReadonlyMap<BackupName, string>,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, digest] of digests) {
    if (signal.aborted) throw new Stopped('the restore was told to stop');
    const path = join(folder, name);
    if (!existsSync(path)) throw new PermanentError(`The backup is damaged: ${path} is missing.`);
    if ((await digestOfFile(path)) !== digest)
      throw new PermanentError(
        `The backup is damaged: ${path} is not as it was written (SHA-256). Nothing was restored; take another backup.`,
      );
  }
}

interface Planned {
  readonly name: BackupName;
  readonly digest: string;
  readonly to: string;
}

/** What SQLite keeps beside a database that is, or was, in use. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** The files that are still to be copied. */
async function requireEmpty(
  { searchUrl, dataFolder }: Config,
  plan: readonly Planned[],
): Promise<readonly Planned[]> {
  const strange = [
    ...plan
      .filter(({ name }) => isDatabase(name))
      .flatMap(({ to }) => BESIDE.map((ending) => `${to}${ending}`)),
    ...(searchUrl.scheme === 'sqlite' ? [searchUrl.path] : []),
  ].find(existsSync);
  const missing: Planned[] = [];
  let taken = strange;
  for (const one of plan) {
    if (!existsSync(one.to)) missing.push(one);
    else if ((await digestOfFile(one.to)) !== one.digest) taken ??= one.to;
  }
  if (taken === undefined) return missing;
  throw new UsageError(
    `The data folder ${dataFolder} is not empty: ${taken} is there. Stop what runs on it, and move it away; or set CATALOG_DATA to a new folder.`,
  );
}

function isDatabase(name: BackupName): boolean {
  return DATABASES.some((one) => one === name);
}

async function copyWhole(from: string, to: string, digest: string): Promise<void> {
  const partial = `${to}${PARTIAL}`;
  try {
    makeFolder(dirname(to));
    await rm(partial, { force: true });
    makePrivateFile(partial);
    await copyFile(from, partial);
    await syncFile(partial);
  } catch (thrown) {
    throw cannotBeWritten(to, thrown);
  }
  if ((await digestOfFile(partial)) !== digest)
    throw new PermanentError(
      `${from} changed while it was copied, or the disk is failing. Run the command again.`,
    );
}
