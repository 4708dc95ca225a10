import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { codeOf, messageOf } from '../platform/errors.ts';
import type { KeptFile } from './manifest.ts';

export interface DamagedFile<File extends KeptFile = KeptFile> {
  readonly file: File;
  readonly problem: string;
}

/**
 * Compares files with their digests, and tells those that differ. Ends early where the signal is aborted.
 * @param onProgress is told how many bytes have been looked at.
 */
export async function damagedFiles<File extends KeptFile>(
  folder: string,
  files: readonly File[],
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress?: (bytes: number) => void },
): Promise<readonly DamagedFile<File>[]> {
  const damaged: DamagedFile<File>[] = [];
  let bytes = 0;
  for (const file of files) {
    if (signal.aborted) break;
    const problem = await problemOf(folder, file);
    if (problem !== null) damaged.push({ file, problem });
    bytes += file.bytes;
    onProgress?.(bytes);
  }
  return damaged;
}

/** Files that are not there, or not as long as they were written: what can be told without reading them. */
export async function lostFiles<File extends KeptFile>(
  folder: string,
  files: readonly File[],
): Promise<readonly DamagedFile<File>[]> {
  const lost: DamagedFile<File>[] = [];
  for (const file of files) {
    const problem = await lossOf(folder, file);
    if (problem !== null) lost.push({ file, problem });
  }
  return lost;
}

async function lossOf(folder: string, { path, bytes }: KeptFile): Promise<string | null> {
  try {
    const { size } = await stat(join(folder, path));
    return size === bytes ? null : `it has ${size} bytes of ${bytes}`;
  } catch (thrown) {
    return notRead(thrown);
  }
}

/** What is wrong with a file; null where it is as it was written. */
export async function problemOf(folder: string, { path, sha256 }: KeptFile): Promise<string | null> {
  try {
    if ((await digestOfFile(join(folder, path))) === sha256) return null;
    return 'it is not as it was written (SHA-256)';
  } catch (thrown) {
    return notRead(thrown);
  }
}

function notRead(thrown: unknown): string {
  return codeOf(thrown) === 'ENOENT' ? 'it is missing' : messageOf(thrown);
}

/** What a manifest says of a file. */
export async function sizeAndDigest(path: string): Promise<Pick<KeptFile, 'bytes' | 'sha256'>> {
  return { bytes: (await stat(path)).size, sha256: await digestOfFile(path) };
}

/** SHA-256 in hexadecimal digits, as `sha256sum` prints it. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
