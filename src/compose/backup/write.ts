import { existsSync } from 'node:fs';
import { copyFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '../../config.ts';
import { MANIFEST } from '../../events/archive/manifest.ts';
import { cannotBeWritten, PARTIAL, settle, syncFile } from '../../platform/durable-files.ts';
import { UsageError } from '../../platform/errors.ts';
import { digestOfFile } from '../../platform/file-digest.ts';
import { toInstant } from '../../platform/instant.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { makePrivateFile } from '../../platform/private-files.ts';
import { writeSealed } from '../../platform/sealed-file.ts';
import { isDamaged } from '../../platform/sqlite-damage.ts';
import { translateSqlite } from '../../platform/sqlite-errors.ts';
import { openSqlite } from '../../platform/sqlite-opening.ts';
import { backup } from '../../platform/sqlite.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { BACKUP_FORMAT, backupPlaces, DATABASES, SECRETS, type BackupName } from './files.ts';

export interface BackupOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress?: (name: BackupName, pages: number, total: number) => void;
}

export interface BackedUp {
  readonly files: readonly BackupFile[];
  /** Whether the pepper is in the backup; else it is in the environment, and whoever set it there keeps it. */
  readonly hasPepper: boolean;
}

export interface BackupFile {
  readonly name: BackupName;
  readonly bytes: number;
  /** In hexadecimal digits, as `sha256sum` prints it. */
  readonly sha256: string;
}

/**
 * Copies what an embedded installation holds into an empty folder, while it runs: first the documents, then the log, each
 * as it is at one moment. The manifest comes last; without it there is no backup.
 * @throws {UsageError} where the stores are services, or the folder is not empty.
 * @throws {Stopped} where the signal was aborted: what was copied is removed.
 */
export async function backUp(config: Config, folder: string, options: BackupOptions): Promise<BackedUp> {
  const places = backupPlaces(config);
  await using opened = new AsyncDisposableStack();
  // Before a folder is made: where there is nothing to copy, none is.
  const sources = DATABASES.map((name) => {
    const source = openSqlite(places[name], { access: 'read', durability: 'normal', busyMs: 5000 });
    opened.defer(() => source.close());
    return { name, source, path: places[name] };
  });
  await makeEmpty(folder);
  const copied: BackupFile[] = [];
  try {
    for (const { name, source, path } of sources) {
      const target = join(folder, `${name}${PARTIAL}`);
      await copyDatabase(source, target, {
        signal: options.signal,
        onProgress: (pages, total) => options.onProgress?.(name, pages, total),
      }).catch((thrown: unknown) => {
        throw translateSqlite(isDamaged(thrown) ? path : target, thrown);
      });
      copied.push(await finished(folder, name));
    }
    for (const name of SECRETS) {
      const path = places[name];
      if (path === undefined || !existsSync(path)) continue;
      makePrivateFile(join(folder, `${name}${PARTIAL}`));
      await copyFile(path, join(folder, `${name}${PARTIAL}`));
      copied.push(await finished(folder, name));
    }
    requireGoing(options.signal);
    for (const { name } of copied) await settle(join(folder, name));
  } catch (thrown) {
    await removePartials(folder);
    throw cannotBeWritten(folder, thrown);
  }
  await writeSealed(join(folder, MANIFEST), {
    format: BACKUP_FORMAT,
    kind: 'backup',
    created_at: toInstant(options.now()),
    files: Object.fromEntries(copied.map(({ name, bytes, sha256 }) => [name, { bytes, sha256 }])),
  });
  return { files: copied, hasPepper: copied.some(({ name }) => name === 'pepper') };
}

/** An empty folder, for this user alone; what a killed run has left is removed. */
async function makeEmpty(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await removePartials(folder);
  } catch (thrown) {
    throw cannotBeWritten(folder, thrown);
  }
  const names = await readdir(folder);
  if (names.includes(MANIFEST))
    throw new UsageError(
      `${folder} holds a backup or an archive already. Name a new folder: each backup has its own.`,
    );
  if (names.length > 0)
    throw new UsageError(`${folder} is not empty (${names[0]}). Name a new folder for the backup.`);
}

/** What SQLite keeps beside a file that it is writing has that file's name in it. */
const LEFT = new RegExp(`^(?:${[...DATABASES, ...SECRETS, MANIFEST].join('|')})\\${PARTIAL}(?:-\\w+)?$`);

async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (LEFT.test(name)) await rm(join(folder, name), { force: true });
  }
}

/** Pages copied at once; between two of them other work has its turn. */
const PAGES = 1000;

interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (pages: number, total: number) => void;
}

/**
 * One state of the database, however much is written to it meanwhile: SQLite would begin a copy again at every write of
 * another connection, but not within a transaction that reads (https://sqlite.org/backup.html).
 */
async function copyDatabase(
  source: ReturnType<typeof openSqlite>,
  target: string,
  { signal, onProgress }: CopyOptions,
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
        onProgress(totalPages - remainingPages, totalPages);
      },
    });
  } finally {
    source.exec('COMMIT');
  }
  await syncFile(target);
}

function requireGoing(signal: AbortSignal): void {
  if (signal.aborted) throw new Stopped('the backup was told to stop');
}

async function finished(folder: string, name: BackupName): Promise<BackupFile> {
  const path = join(folder, `${name}${PARTIAL}`);
  await syncFile(path);
  return { name, bytes: (await stat(path)).size, sha256: await digestOfFile(path) };
}
