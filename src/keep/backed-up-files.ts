import { join } from 'node:path';
import { copyFile, rm } from 'node:fs/promises';

import type { Config } from '../config.ts';
import { UsageError } from '../platform/errors.ts';
import { syncFile } from '../platform/files/durable-files.ts';
import { makePrivateFile } from '../platform/files/private-files.ts';

/** What a backup of an embedded installation holds, and where each part of it lives. */

/** In this order they are written: a log is never behind the documents that were made from it. */
export const DATABASES = ['documents.db', 'log.db'] as const;
export const SECRETS = ['pepper', 'demo-key'] as const;

/** The files of a backup by the names that they have in it. The search index is not among them: it is filled again. */
export type BackupName = (typeof DATABASES)[number] | (typeof SECRETS)[number];

/**
 * Where the files of this installation are.
 * @throws {UsageError} where its documents or its log are a service, naming what is to be used instead.
 */
export function backupPlaces({ dataFolder, documentsUrl, logUrl, keyPepper }: Config) {
  if (documentsUrl.scheme !== 'sqlite') {
    throw new UsageError(
      'The documents are in MongoDB, which this does not copy: use mongodump and mongorestore, and "keep archive" for the log.',
    );
  }
  if (logUrl.scheme !== 'sqlite') {
    throw new UsageError(
      'The log is in Kafka, which this does not copy: use "keep archive" and "keep restore" for the log; the documents are folded from it again, but for API keys.',
    );
  }
  return {
    'documents.db': documentsUrl.path,
    'log.db': logUrl.path,
    // Absent where it is in the environment.
    ...(keyPepper === null ? { pepper: join(dataFolder, 'pepper') } : {}),
    'demo-key': join(dataFolder, 'demo-key'),
  };
}

/** Copies a file for this user alone, in the place of one that may be there, and flushes it to the disk. */
export async function copyPrivate(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  makePrivateFile(to);
  await copyFile(from, to);
  await syncFile(to);
}
