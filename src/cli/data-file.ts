import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';

import { messageOf, PermanentError, UsageError } from '../platform/errors.ts';
import { writeLines, type ManyLines } from './write-lines.ts';

/**
 * Writes a file that is there as a whole or not at all: under another name beside it, until all of it is on the disk.
 * `write` is given that name.
 * @throws {UsageError} where a file of the name exists, unless it may be replaced.
 */
export async function writeWhole<T>(
  file: string,
  { force }: { readonly force: boolean },
  write: (part: string) => Promise<T>,
): Promise<T> {
  if (!force && existsSync(file)) {
    throw new UsageError(`${file} exists: name another file, or add --force to replace it.`);
  }
  const part = `${file}.${process.pid}.part`;
  try {
    const written = await write(part);
    await onDisk(file, () => rename(part, file));
    return written;
  } finally {
    await rm(part, { force: true });
  }
}

/** Writes lines exactly as they are to a file that must not exist. @throws {PermanentError} where that fails. */
export async function writeLinesTo(file: string, lines: ManyLines, signal: AbortSignal): Promise<void> {
  await using handle = await onDisk(file, () => open(file, 'wx'));
  await writeLines(lines, (chunk) => onDisk(file, () => handle.appendFile(chunk)), signal);
  await onDisk(file, () => handle.sync());
}

async function onDisk<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw new PermanentError(`${file} cannot be written: ${messageOf(thrown)}`, { cause: thrown });
  }
}
