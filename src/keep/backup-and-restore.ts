import { existsSync } from 'node:fs';
import { join, dirname } from 'node:path';

import type { Config } from '../config.ts';
import { cannotBeWritten, PARTIAL, renamePartial, syncFile } from '../platform/files/durable-files.ts';
import { UsageError, PermanentError } from '../platform/errors.ts';
import { digestOfFile, sizeAndDigest } from './damaged-files.ts';
import { instantAt } from '../platform/time/instant.ts';
import { makePrivateFile, makeFolder } from '../platform/files/private-files.ts';
import { isDamaged, translateSqlite } from '../platform/sqlite/errors.ts';
import { openSqlite } from '../platform/sqlite/open-database.ts';
import { backup } from '../platform/sqlite/node-sqlite.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { backupPlaces, DATABASES, SECRETS, type BackupName, copyPrivate } from './backed-up-files.ts';
import { makeEmptyFolder, removeLeftovers } from './prepare-folder.ts';
import { FORMAT, readManifest, writeManifest, type BackupManifest, type KeptFolder } from './manifest.ts';

interface BackupOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: (pages: number, total: number) => void;
}

/**
 * Copies what an embedded installation holds into an empty folder, while it runs: first the documents, then the log, each
 * as it is at one moment. The manifest comes last; without it there is no backup.
 * @throws {UsageError} where the stores are services, or the folder is not empty.
 * @throws {StoppedError} where the signal was aborted: what was copied is removed.
 */
export async function backUp(
  config: Config,
  folder: string,
  options: BackupOptions,
): Promise<BackupManifest> {
  const places = backupPlaces(config);
  await using opened = new AsyncDisposableStack();
  // Before a folder is made: where there is nothing to copy, none is.
  const sources = DATABASES.map((name) => {
    const source = openSqlite(places[name], { access: 'read', durability: 'normal', busyMs: 5000 });
    opened.defer(() => source.close());
    return { name, source, path: places[name] };
  });
  if (await readManifest(folder))
    throw new UsageError(
      `${folder} holds a backup or an archive already. Name a new folder: each backup has its own.`,
    );
  await makeEmptyFolder(folder);
  const files: BackupManifest['files'] = [];
  try {
    for (const { name, source, path } of sources) {
      const partial = join(folder, `${name}${PARTIAL}`);
      await copyDatabase(source, partial, options).catch((thrown: unknown) => {
        throw translateSqlite(isDamaged(thrown) ? path : partial, thrown);
      });
      files.push({ path: name, ...(await sizeAndDigest(partial)) });
    }
    for (const name of SECRETS) {
      const path = places[name];
      if (path === undefined || !existsSync(path)) continue;
      const partial = join(folder, `${name}${PARTIAL}`);
      await copyPrivate(path, partial);
      files.push({ path: name, ...(await sizeAndDigest(partial)) });
    }
    requireGoing(options.signal);
    for (const { path } of files) await renamePartial(join(folder, path));
  } catch (thrown) {
    await removeLeftovers(folder);
    throw cannotBeWritten(folder, thrown);
  }
  const manifest = {
    format: FORMAT,
    kind: 'backup',
    created_at: instantAt(options.now()),
    files,
  } as const;
  await writeManifest(folder, manifest);
  return manifest;
}

/** Pages copied at once; between two of them other work has its turn. */
const PAGES = 1000;

/**
 * One state of the database, however much is written to it meanwhile: SQLite would begin a copy again at every write of
 * another connection, but not within a transaction that reads (https://sqlite.org/backup.html).
 */
async function copyDatabase(
  source: ReturnType<typeof openSqlite>,
  target: string,
  { signal, onProgress }: BackupOptions,
): Promise<void> {
  makePrivateFile(target);
  requireGoing(signal);
  source.exec('BEGIN');
  try {
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(source, target, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) => {
        requireGoing(signal);
        onProgress?.(totalPages - remainingPages, totalPages);
      },
    });
  } finally {
    source.exec('COMMIT');
  }
  await syncFile(target);
}

function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw new StoppedError('the backup was told to stop');
}

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
async function requireEmpty({ searchUrl, dataFolder }: Config, plan: readonly FileToRestore[]) {
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
