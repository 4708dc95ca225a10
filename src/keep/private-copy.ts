import { copyFile, rm } from 'node:fs/promises';

import { syncFile } from '../platform/files/durable-files.ts';
import { makePrivateFile } from '../platform/files/private-files.ts';

/** Copies a file for this user alone, in the place of one that may be there, and flushes it to the disk. */
export async function copyPrivate(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  makePrivateFile(to);
  await copyFile(from, to);
  await syncFile(to);
}
