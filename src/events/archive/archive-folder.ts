import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cannotBeWritten, PARTIAL } from '../../platform/durable-files.ts';
import { PermanentError, UsageError } from '../../platform/errors.ts';
import { LOCK_FILE, lockFolder } from '../../platform/folder-lock.ts';
import { toInstant } from '../../platform/instant.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import {
  ARCHIVE_FORMAT,
  MANIFEST,
  readManifest,
  SEGMENT_NAME,
  writeManifest,
  type Manifest,
} from './manifest.ts';

/** The folder of an archive while it is written: one process at a time, and nothing in it that no manifest names. */
export interface ArchiveFolder extends Disposable {
  readonly path: string;
  readonly manifest: Manifest;
}

export interface FolderOptions {
  readonly topicPrefix: string;
  /** Unix milliseconds from which on a new archive has records; null from the beginning. */
  readonly since: number | null;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Opens an archive to go on with it, or makes an empty one. What a killed run has left is removed.
 * @throws {UsageError} where the folder holds something else, or an archive that was asked for in other terms.
 * @throws {PermanentError} where it cannot be written, its manifest is damaged, or another process is writing it.
 */
export async function openFolder(path: string, options: FolderOptions): Promise<ArchiveFolder> {
  const isNew = (await readManifest(path)) === null;
  if (isNew && !(await namesIn(path)).every((name) => MADE_FIRST.has(name)))
    throw new UsageError(
      `${path} is not empty, and is no archive. Name a new folder, or that of an archive.`,
    );
  const lock = take(path);
  try {
    const found = await readManifest(path);
    if (found) checkTerms(path, found, options);
    const manifest = found ?? emptyManifest(options);
    if (!found) await writeManifest(path, manifest);
    else await removeLeftovers(path, found);
    return { path, manifest, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  } catch (thrown) {
    lock[Symbol.dispose]();
    throw thrown;
  }
}

/** What a run that was killed before its first manifest may leave. */
const MADE_FIRST: ReadonlySet<string> = new Set([LOCK_FILE, `${MANIFEST}${PARTIAL}`]);

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw cannotBeWritten(folder, thrown);
  }
}

function take(path: string): Disposable {
  let lock: Disposable | null;
  try {
    makeFolder(path);
    lock = lockFolder(path);
  } catch (thrown) {
    throw cannotBeWritten(path, thrown);
  }
  if (lock) return lock;
  throw new PermanentError(`Another process is writing the archive in ${path}. Wait until it has ended.`);
}

function checkTerms(path: string, { topic_prefix }: Manifest, { topicPrefix, since }: FolderOptions): void {
  if (since !== null) {
    throw new UsageError(
      `${path} is an archive already, and goes on where it ends: --since is for a new one. Leave it out, or name a new folder.`,
    );
  }
  if (topic_prefix !== topicPrefix) {
    throw new UsageError(
      `${path} is of topics with the prefix "${topic_prefix}", and CATALOG_TOPIC_PREFIX is "${topicPrefix}". Name a new folder, or set the prefix of the archive.`,
    );
  }
}

function emptyManifest({ topicPrefix, since, now }: FolderOptions): Manifest {
  const at = toInstant(now) ?? '';
  return {
    format: ARCHIVE_FORMAT,
    kind: 'archive',
    created_at: at,
    updated_at: at,
    topic_prefix: topicPrefix,
    since: since === null ? null : toInstant(since),
    topics: [],
  };
}

/** Files of an earlier run that were begun, or that were done and came into no manifest. */
async function removeLeftovers(folder: string, { topics }: Manifest): Promise<void> {
  const listed = new Set(
    topics.flatMap(({ partitions }) => partitions.flatMap(({ files }) => files.map(({ path }) => path))),
  );
  for (const { name, partitions } of topics) {
    for (const { partition } of partitions) {
      for (const file of await namesIn(join(folder, name, String(partition)))) {
        const path = `${name}/${partition}/${file}`;
        if (SEGMENT_NAME.test(file) && !listed.has(path)) await rm(join(folder, path), { force: true });
      }
    }
  }
}
